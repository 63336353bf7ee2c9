/**
 * The OpenAPI document, the source of every shape on the wire: requests are checked by it, types
 * are generated from it (`wire.ts`), tests check answers by it, and clients are served it.
 */

import { readFileSync } from 'node:fs'
import type { Scope } from './auth/scopes.ts'

/** As seen from the compiled code, which lies one folder deeper than this file. */
const file = new URL('../../server/openapi.json', import.meta.url)

export type Schema = { readonly [keyword: string]: unknown }

export type OperationObject = {
  readonly operationId: string
  /** One of these is needed: a way to say who calls, with a scope that may. */
  readonly security: readonly { readonly [scheme: string]: readonly Scope[] }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } }
  }
  readonly responses: { readonly [status: string]: Schema }
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

/** The document as it is served, byte for byte. */
export const openApiText = readFileSync(file, 'utf8')

export const openApi: OpenApi = JSON.parse(openApiText)

/** The schema itself, where this one only refers to it. */
export function resolved(schema: Schema): Schema {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema['$ref']))?.[1]
  return (name === undefined ? undefined : openApi.components.schemas[name]) ?? schema
}

/** The scopes with one of which an operation may be called. */
export function scopesOf({ security }: OperationObject): Scope[] {
  return [...new Set(security.flatMap((scheme) => Object.values(scheme).flat()))]
}
