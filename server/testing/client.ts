/** A client of the API, in tests: calls operations by name and checks responses by the contract. */

import { openApi, type OperationObject } from '../contract/openapi.ts'
import type * as wire from '../contract/wire.ts'
import type { Contract } from './contract.ts'

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
