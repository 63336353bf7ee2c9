/** Holds every request to the fake, and every answer of it, to GitHub's own document. */

import { Ajv, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import {
  answerSchema,
  document,
  isRecord,
  parametersOf,
  type OperationObject,
  type Schema,
} from './document.ts'

export type Operation = {
  /** `GET /repos/{owner}/{repo}/pulls`. */
  readonly name: string
  readonly object: OperationObject
  /** The values in the path, by name. */
  readonly path: Readonly<Record<string, string>>
}

const patterns = Object.entries(document.paths).map(([template, item]) => {
  const source = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { template, item, pattern: new RegExp(`^${source}$`) }
})

/** The operation of a request; null if the adapter was not said to use it. */
export function operationOf(method: string, path: string): Operation | null {
  for (const { template, item, pattern } of patterns) {
    const found = pattern.exec(path)
    const object = item[method.toLowerCase()]
    if (!found || !object) continue
    const values = Object.entries(found.groups ?? {})
    return {
      name: `${method} ${template}`,
      object,
      path: Object.fromEntries(values.map(([name, value]) => [name, decodeURIComponent(value)])),
    }
  }
  return null
}

// The second one is GitHub's own: `owner/name`.
const formats = { ...fullFormats, 'repo.nwo': true } as const
const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false, formats })
ajv.addSchema({ $id: 'github', components: document.components })
const compiled = new Map<Schema, ValidateFunction>()

function faultsIn(schema: Schema, value: unknown): string[] {
  const known = compiled.get(schema)
  const validate = known ?? ajv.compile(withAbsoluteRefs(schema))
  compiled.set(schema, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** `#/components/..` means the document, from wherever a schema was taken. */
function withAbsoluteRefs(schema: Schema): Schema {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"github#/components/')
  const copy: Schema = JSON.parse(text)
  return copy
}

/** What is wrong with a request: unknown parameters and fields count, GitHub would ignore them. */
export function faultsOfRequest(
  { object }: Operation,
  query: URLSearchParams,
  body: unknown,
): string[] {
  const parameters = parametersOf(object).filter((each) => each.in === 'query')
  const unknown = [...query.keys()].filter((key) => !parameters.some(({ name }) => name === key))
  const wrong = parameters.flatMap(({ name, schema }) => {
    const text = query.get(name)
    if (text === null) return []
    const isNumber = schema['type'] === 'integer'
    return faultsIn(schema, isNumber ? Number(text) : text).map((fault) => `${name}${fault}`)
  })
  const bodySchema = object.requestBody?.content['application/json']?.schema
  const fields = isRecord(bodySchema?.['properties']) ? Object.keys(bodySchema['properties']) : null
  const strange =
    fields && isRecord(body) ? Object.keys(body).filter((key) => !fields.includes(key)) : []
  return [
    ...unknown.map((key) => `unknown parameter ${key}`),
    ...wrong,
    ...strange.map((key) => `unknown field ${key}`),
    ...(bodySchema && body !== undefined ? faultsIn(bodySchema, body) : []),
  ]
}

/** What is wrong with an answer of the fake. A status that the document does not know is wrong. */
export function faultsOfAnswer({ object }: Operation, status: number, body: unknown): string[] {
  // Any operation can be refused in these ways; the document does not repeat them.
  if ([304, 401, 403, 404, 429, 500, 502, 503].includes(status)) return []
  if (!(status in object.responses)) return [`the document has no status ${status}`]
  const schema = answerSchema(object, status)
  return schema ? faultsIn(schema, body) : []
}
