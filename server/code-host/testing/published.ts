/** Holds every request to a fake host, and every answer of it, to the published document of the real one. */

import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'

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

// A published OpenAPI document of a code host, trimmed to what its adapter uses.

export type Schema = Readonly<Record<string, unknown>>

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

type OperationObject = {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>
}

type ResponseObject = {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, ResponseObject>>
  }
}

/** Reads the document of an adapter: `server/<kind>/testing/openapi.json`. */
function documentOf(kind: string): Document {
  // Relative to the compiled file, which is one folder deeper than this one.
  const source = new URL(`../../../../server/${kind}/testing/openapi.json`, import.meta.url)
  const document: Document = JSON.parse(readFileSync(source, 'utf8'), withNull)
  return document
}

/**
 * Documents say `nullable` beside a list of values, where null must then be in the list, and beside `anyOf`,
 * where it must be one of the choices.
 */
function withNull(_: string, value: unknown): unknown {
  if (!isRecord(value) || value['nullable'] !== true) return value
  const { enum: choices, anyOf, nullable: _nullable, ...rest } = value
  if (Array.isArray(choices)) return { ...value, enum: [...choices, null] }
  return Array.isArray(anyOf)
    ? { ...rest, anyOf: [...anyOf, { type: 'string', nullable: true, enum: [null] }] }
    : value
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parameters of an operation, resolved. */
function parametersOf(document: Document, { parameters = [] }: OperationObject) {
  return parameters.map((each) => {
    if (!('$ref' in each)) return each
    const found = document.components.parameters?.[each.$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`the trimmed document has no ${each.$ref}`)
    return found
  })
}

/** The schema of an answer; null if the document has none for this status. */
function answerSchema(
  document: Document,
  { responses }: OperationObject,
  status: number,
): Schema | null {
  const written = responses[status]
  const found =
    written && '$ref' in written
      ? document.components.responses?.[written.$ref.split('/').at(-1) ?? '']
      : written
  return found?.content?.['application/json']?.schema ?? null
}

// Objects of a host's API: the fields that a test cares for, and for every other required field the
// simplest value that its schema allows.

export type Fields = Readonly<Record<string, unknown>>

/** Makes objects of the schemas of a document, with these fields. */
export function fillerOf(document: Document): (name: string, fields: Fields) => Fields {
  const componentAt = (ref: string): Schema => {
    const found = document.components.schemas[ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`the trimmed document has no ${ref}`)
    return found
  }
  return (name, fields) =>
    merged(simplest({ ...componentAt(name), nullable: false }, componentAt), fields)
}

/** Fields replace; within objects that both have, field by field. */
export function merged(
  base: unknown,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const made: Record<string, unknown> = isRecord(base) ? { ...base } : {}
  for (const [name, value] of Object.entries(fields)) {
    made[name] = isRecord(value) && isRecord(made[name]) ? merged(made[name], value) : value
  }
  return made
}

/** The simplest value of a schema: null where that is allowed, else only what is required. */
export function simplest(schema: Schema, at: (ref: string) => Schema): unknown {
  const { $ref: ref, nullable, enum: choices, const: only, properties } = schema
  if (typeof ref === 'string') return simplest(at(ref), at)
  const types: readonly unknown[] = [schema['type']].flat()
  if (nullable === true || types.includes('null')) return null
  if (only !== undefined) return only
  if (Array.isArray(choices)) return choices[0]
  const parts = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list.filter(isRecord) : [],
  )
  if (Array.isArray(schema['allOf']) && parts.length > 1) {
    const values = parts.map((part) => simplest(part, at)).filter(isRecord)
    return values.reduce((all, value) => merged(all, value), {})
  }
  const [first] = parts
  if (first && !isRecord(properties)) return simplest(first, at)
  const [type] = types
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 0
  return type === 'string' ? textOf(schema['format']) : objectOf(schema, at)
}

function objectOf({ properties, required }: Schema, at: (ref: string) => Schema): unknown {
  const names = Array.isArray(required) ? required.map(String) : []
  const known = isRecord(properties) ? properties : {}
  return Object.fromEntries(
    names.map((name) => {
      const property = known[name]
      return [name, isRecord(property) ? simplest(property, at) : {}]
    }),
  )
}

function textOf(format: unknown): string {
  if (format === 'uri') return 'https://host.example.com/'
  if (format === 'date-time') return '2026-01-05T09:00:00Z'
  return ''
}
