/**
 * Checks the responses of a server against the OpenAPI document: status, content type and body must
 * be documented, without any unknown field. Records which statuses occurred, so that a test can ask
 * for the missing ones.
 */

import { schemasOfDocument } from '../http/schema.ts'
import { openApi, type OperationObject, type Schema } from '../contract/openapi.ts'

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
