/** A published OpenAPI document of a code host, trimmed to what its adapter uses. */

import { readFileSync } from 'node:fs'

export type Schema = Readonly<Record<string, unknown>>

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

export type OperationObject = {
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
export function documentOf(kind: string): Document {
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
export function parametersOf(document: Document, { parameters = [] }: OperationObject) {
  return parameters.map((each) => {
    if (!('$ref' in each)) return each
    const found = document.components.parameters?.[each.$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`the trimmed document has no ${each.$ref}`)
    return found
  })
}

/** The schema of an answer; null if the document has none for this status. */
export function answerSchema(
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
