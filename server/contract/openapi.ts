/**
 * The OpenAPI document, the source of every shape on the wire. The server checks requests against
 * it and serves it, tests check responses against it, and the build makes `wire.ts` of it.
 */

import { readFileSync } from 'node:fs'

/** Relative to the compiled file, which is one folder deeper than this one. */
const file = new URL('../../../server/openapi.json', import.meta.url)

export type Schema = {
  readonly [keyword: string]: unknown
  readonly required?: readonly string[]
  readonly allOf?: readonly Schema[]
}

type Answer = Schema & {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } }
}

export type OperationObject = {
  readonly operationId: string
  /** Alternatives: the scheme that carries the token, and the scopes that allow the operation. */
  readonly security: readonly { readonly [scheme: string]: readonly Scope[] }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } }
  }
  readonly responses: { readonly [status: string]: Answer }
}

export type OpenApi = {
  readonly info: { readonly version: string }
  readonly paths: {
    readonly [path: string]: { readonly get?: OperationObject; readonly post?: OperationObject }
  }
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema }
    readonly responses: { readonly [name: string]: Schema }
  }
}

/** The text of the document, served unchanged. */
export const openApiText = readFileSync(file, 'utf8')

export const openApi: OpenApi = JSON.parse(openApiText)

/** Resolves a schema that is only a reference; returns other schemas unchanged. */
export function resolved(schema: Schema): Schema {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema['$ref']))?.[1]
  return (name === undefined ? undefined : openApi.components.schemas[name]) ?? schema
}

/** The fields that every answer to an operation has. */
export function promisedBy(operation: string): readonly string[] {
  const answer = openApi.paths[`/${operation}`]?.post?.responses['200']
  const schema = answer?.content?.['application/json']?.schema
  return schema === undefined ? [] : requiredIn(schema)
}

function requiredIn(schema: Schema): readonly string[] {
  const { required = [], allOf = [] } = resolved(schema)
  return [...required, ...allOf.flatMap(requiredIn)]
}

/** The scopes that allow an operation. */
export function scopesOf({ security }: OperationObject): Scope[] {
  return [...new Set(security.flatMap((scheme) => Object.values(scheme).flat()))]
}

// The scopes of tokens. The OpenAPI document lists for each operation the scopes that may call it.
//
// - read: read only
// - report: read, report test runs, set impacted targets
// - submit: read, submit, cancel, restart, set impacted targets, link tickets
// - admin: everything

export const scopes = ['read', 'report', 'submit', 'admin'] as const
export type Scope = (typeof scopes)[number]

export function isScope(value: unknown): value is Scope {
  return scopes.some((scope) => scope === value)
}
