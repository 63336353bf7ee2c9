/** A client of the API, in tests: calls operations by name and checks responses by the contract. */

import { openApi, type OperationObject, type Schema } from '../contract/openapi.ts'
import type * as wire from '../contract/wire.ts'
import { schemasOfDocument } from '../http/schema.ts'

export const shop: wire.Repository = { host: 'github.com', owner: 'acme', name: 'shop' }
export const main: wire.QueueRef = { repo: shop, targetBranch: 'main' }

export type ClientResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body if it is JSON, else null. */
  readonly json: unknown
}

export type CallOptions = {
  readonly token?: string | null
  readonly headers?: Record<string, string>
  readonly method?: string
  /** Ends a call that nobody answers. */
  readonly signal?: AbortSignal
}

export type Definition = { readonly path: string; readonly definition: OperationObject }

/** The operations that take a body. */
export const definitions: readonly Definition[] = Object.entries(openApi.paths).flatMap(
  ([path, { post }]) => (post ? [{ path: `/v1${path}`, definition: post }] : []),
)

function definitionOf(operationId: string): Definition {
  const found = definitions.find(({ definition }) => definition.operationId === operationId)
  if (!found) throw new Error(`no operation ${operationId}`)
  return found
}

export class Client {
  readonly #url: string
  readonly #token: string
  readonly #contract: Contract

  constructor(url: string, token: string, contract: Contract) {
    this.#url = url
    this.#token = token
    this.#contract = contract
  }

  /** Calls an operation. Sends text and bytes unchanged, and anything else as JSON. */
  async call(operationId: string, body: unknown, call: CallOptions = {}): Promise<ClientResponse> {
    const { path, definition } = definitionOf(operationId)
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const answered = await this.send(path, {
      method: 'POST',
      ...call,
      headers: { 'content-type': 'application/json', ...call.headers },
      body: isRaw ? body : JSON.stringify(body),
    })
    this.#contract.check(definition, answered)
    return answered
  }

  /** Calls an operation that must succeed, and returns its body. */
  async ok<Body>(operationId: string, body: unknown, call: CallOptions = {}): Promise<Body> {
    const { status, text } = await this.call(operationId, body, call)
    if (status !== 200) throw new Error(`${operationId} returned ${status}: ${text}`)
    const answered: Body = JSON.parse(text)
    return answered
  }

  // The steps of most stories, in the queue `main`.

  submit(number: number, more: object = {}): Promise<wire.SubmittedPullRequest> {
    return this.ok('submitPullRequest', { ...main, pr: { number }, ...more })
  }

  /** What is shown of a pull request. */
  pull(number: number, more: object = {}): Promise<wire.SubmittedPullRequest> {
    return this.ok('getSubmittedPullRequest', { ...main, pr: { number }, ...more })
  }

  /** The test runs in progress. */
  async runs(): Promise<wire.TestRun[]> {
    return (await this.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)).testRuns
  }

  /** Reports on the first run in progress, or on the first that tests this pull request. Returns the run. */
  async report(
    outcome: string,
    { of, ...more }: { readonly of?: number; readonly [field: string]: unknown } = {},
  ): Promise<wire.TestRun> {
    const tests = ({ testedPullRequests }: wire.TestRun): boolean =>
      of === undefined || testedPullRequests.some(({ prNumber }) => prNumber === of)
    const run = (await this.runs()).find(tests)
    if (!run) throw new Error(of === undefined ? 'no run is in progress' : `no run tests ${of}`)
    await this.ok('reportTestRun', { testRunId: run.testRunId, outcome, ...more })
    return run
  }

  async get(operationId: string, path: string, call: CallOptions = {}): Promise<ClientResponse> {
    const answered = await this.send(path, { method: 'GET', ...call })
    const definition = openApi.paths[path.replace(/^\/v1|\?.*$/g, '')]?.get
    if (definition?.operationId !== operationId) throw new Error(`${path} is not ${operationId}`)
    this.#contract.check(definition, answered)
    return answered
  }

  /** Sends any request, without a check of the response. */
  async send(
    path: string,
    {
      token = this.#token,
      headers = {},
      method = 'POST',
      signal,
      body,
    }: CallOptions & { body?: string | Uint8Array },
  ): Promise<ClientResponse> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...(token === null ? {} : { 'x-api-token': token }), ...headers },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const json: unknown = isJson ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, json }
  }
}

// Checks the responses of a server against the OpenAPI document: status, content type and body must
// be documented, without any unknown field. Records which statuses occurred, so that a test can ask
// for the missing ones.

export type ObservedResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type ContentSchemas = Readonly<Record<string, { readonly schema: Schema }>>
type ResponseObject = { readonly content: ContentSchemas; readonly $ref?: string }

const ajv = schemasOfDocument({ strictTypes: false, validateSchema: true })
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

export class Contract {
  readonly #observed = new Set<string>()

  /** Throws if the response does not match the document. */
  check(definition: OperationObject, response: ObservedResponse): void {
    const fault = faultOf(definition, response)
    const { operationId } = definition
    const { status, text } = response
    if (fault !== null) throw new Error(`${operationId} ${status}: ${fault}\n${text}`)
    this.#observed.add(`${operationId} ${status}`)
  }

  /** Documented statuses that have not occurred yet. */
  get unseen(): string[] {
    return Object.values(openApi.paths)
      .flatMap(({ get, post }) => [get, post].flatMap((definition) => definition ?? []))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      )
      .filter((each) => !this.#observed.has(each))
  }
}

function faultOf({ responses }: OperationObject, observed: ObservedResponse): string | null {
  const { status, headers, text } = observed
  const response = resolvedResponse(responses[String(status)])
  if (!response) return 'is not documented'
  if (headers.get('x-content-type-options') !== 'nosniff')
    return 'lacks X-Content-Type-Options: nosniff'
  const contentType = headers.get('content-type') ?? ''
  const found = Object.entries(response.content).find(([type]) => contentType.startsWith(type))
  if (!found) return `has the undocumented content type ${contentType}`
  const isJson = contentType.startsWith('application/json')
  const validate = validatorOf(found[1].schema, isJson)
  const isValid = validate(isJson ? JSON.parse(text) : text) === true
  return isValid ? null : JSON.stringify(validate.errors)
}

function resolvedResponse(response: Schema | undefined): ResponseObject | undefined {
  const name = /^#\/components\/responses\/(\w+)$/.exec(String(response?.['$ref']))?.[1]
  const found: unknown = name === undefined ? response : openApi.components.responses[name]
  return isResponse(found) ? found : undefined
}

function isResponse(value: unknown): value is ResponseObject {
  return typeof value === 'object' && value !== null && 'content' in value
}

/** Rejects unknown fields, because clients could not know fields that are not documented. */
function validatorOf(schema: Schema, isJson: boolean): ReturnType<typeof ajv.compile> {
  const key = JSON.stringify([schema, isJson])
  const known = validators.get(key)
  if (known) return known
  const local: Schema = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
  const validator = ajv.compile(isJson ? { allOf: [local], unevaluatedProperties: false } : local)
  validators.set(key, validator)
  return validator
}

// A valid body for each operation, from the OpenAPI document.

export function exampleOf({ definition }: Definition): unknown {
  const content: unknown = definition.requestBody?.content['application/json']
  return typeof content === 'object' && content !== null && 'example' in content
    ? content.example
    : null
}

export const examples: ReadonlyMap<string, unknown> = new Map(
  definitions.map((each) => [each.definition.operationId, exampleOf(each)]),
)
