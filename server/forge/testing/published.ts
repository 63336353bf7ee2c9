/** Holds every request to a fake host, and every answer of it, to the published document of the real one. */

import { Ajv, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import {
  answerSchema,
  documentOf,
  isRecord,
  parametersOf,
  type Document,
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

/** Any operation can be refused in these ways; the documents do not repeat them. */
const refusals = new Set([304, 401, 403, 404, 429, 500, 502, 503])

// The second one is GitHub's own: `owner/name`.
const formats = { ...fullFormats, 'repo.nwo': true } as const

/** Each process compiles the schemas anew and checks little with them, so compiling must be quick. */
export const quickToCompile = { inlineRefs: false, code: { optimize: false } } as const

export class Published {
  readonly document: Document
  readonly #ajv = new Ajv({ strict: false, allErrors: true, formats, ...quickToCompile })
  readonly #compiled = new Map<Schema, ValidateFunction>()
  readonly #patterns

  constructor(kind: string) {
    this.document = documentOf(kind)
    this.#ajv.addSchema({ $id: 'host', components: this.document.components })
    this.#patterns = Object.entries(this.document.paths).map(([template, item]) => {
      const source = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
      return { template, item, pattern: new RegExp(`^${source}$`) }
    })
  }

  /** The operation of a request; null if the adapter was not said to use it. */
  operationOf(method: string, path: string): Operation | null {
    for (const { template, item, pattern } of this.#patterns) {
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

  /** What is wrong with a request: unknown parameters and fields count, hosts would ignore them. */
  faultsOfRequest({ object }: Operation, query: URLSearchParams, body: unknown): string[] {
    const parameters = parametersOf(this.document, object).filter((each) => each.in === 'query')
    const unknown = [...query.keys()].filter((key) => !parameters.some(({ name }) => name === key))
    const wrong = parameters.flatMap(({ name, schema }) => {
      const text = query.get(name)
      if (text === null) return []
      const isNumber = schema['type'] === 'integer'
      return this.#faultsIn(schema, isNumber ? Number(text) : text).map(
        (fault) => `${name}${fault}`,
      )
    })
    const written = object.requestBody?.content['application/json']?.schema
    const bodySchema = written && this.#resolved(written)
    const known = bodySchema?.['properties']
    const fields = isRecord(known) ? Object.keys(known) : null
    const strange =
      fields && isRecord(body) ? Object.keys(body).filter((key) => !fields.includes(key)) : []
    return [
      ...unknown.map((key) => `unknown parameter ${key}`),
      ...wrong,
      ...strange.map((key) => `unknown field ${key}`),
      ...(bodySchema && body !== undefined ? this.#faultsIn(bodySchema, body) : []),
    ]
  }

  /** What is wrong with an answer of the fake. A status that the document does not know is wrong. */
  faultsOfAnswer({ object }: Operation, status: number, body: unknown): string[] {
    if (refusals.has(status)) return []
    if (!(status in object.responses)) return [`the document has no status ${status}`]
    const schema = answerSchema(this.document, object, status)
    return schema ? this.#faultsIn(schema, body) : []
  }

  #resolved(schema: Schema): Schema {
    const { $ref: ref } = schema
    const name = typeof ref === 'string' ? ref.split('/').at(-1) : undefined
    return this.document.components.schemas[name ?? ''] ?? schema
  }

  #faultsIn(schema: Schema, value: unknown): string[] {
    const validate = this.#compiled.get(schema) ?? this.#ajv.compile(withAbsoluteRefs(schema))
    this.#compiled.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

/** `#/components/..` means the document, from wherever a schema was taken. */
function withAbsoluteRefs(schema: Schema): Schema {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"host#/components/')
  const copy: Schema = JSON.parse(text)
  return copy
}
