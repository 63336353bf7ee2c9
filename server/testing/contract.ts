/**
 * Holds every answer of a server against the OpenAPI document: the status is one the operation may
 * answer, the content type and the body are as it says, and there is no field it does not know.
 * Remembers what it has seen, so that a test can ask for what it has not.
 */

import { schemasOfDocument } from '../http/schema.ts'
import { openApi, type OperationObject, type Schema } from '../openapi.ts'

export type Seen = { readonly status: number; readonly headers: Headers; readonly text: string }

type Content = Readonly<Record<string, { readonly schema: Schema }>>
type ResponseObject = { readonly content: Content; readonly $ref?: string }

const ajv = schemasOfDocument({ strictTypes: false, validateSchema: true })
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

export class Contract {
  readonly #seen = new Set<string>()

  /** Throws where the answer is not as the document says. */
  check(definition: OperationObject, seen: Seen): void {
    const fault = faultOf(definition, seen)
    const { operationId } = definition
    if (fault !== null) throw new Error(`${operationId} ${seen.status}: ${fault}\n${seen.text}`)
    this.#seen.add(`${operationId} ${seen.status}`)
  }

  /** Statuses in the document that no operation has answered yet. */
  get unseen(): string[] {
    return Object.values(openApi.paths)
      .flatMap(({ get, post }) => [get, post].flatMap((definition) => definition ?? []))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      )
      .filter((each) => !this.#seen.has(each))
  }
}

function faultOf({ responses }: OperationObject, seen: Seen): string | null {
  const { status, headers, text } = seen
  const response = resolvedResponse(responses[String(status)])
  if (!response) return 'is not documented'
  if (headers.get('x-content-type-options') !== 'nosniff') return 'may be sniffed'
  const contentType = headers.get('content-type') ?? ''
  const found = Object.entries(response.content).find(([type]) => contentType.startsWith(type))
  if (!found) return `came as ${contentType}`
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

/** No more fields than the document knows: those it forgot to mention would be found by nobody. */
function validatorOf(schema: Schema, isJson: boolean): ReturnType<typeof ajv.compile> {
  const key = JSON.stringify([schema, isJson])
  const known = validators.get(key)
  if (known) return known
  const local: Schema = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'))
  const validator = ajv.compile(isJson ? { allOf: [local], unevaluatedProperties: false } : local)
  validators.set(key, validator)
  return validator
}
