/**
 * Before each build: writes `server/contract/wire.ts`, a type for each schema of `server/openapi.json`. Git ignores it.
 *
 * OpenAPI 3.1 schemas are JSON Schemas, so a generator for JSON Schema is enough. It needs its own form of references.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { compile } from 'json-schema-to-typescript'

const file = 'server/contract/wire.ts'
const { paths, components } = JSON.parse(readFileSync('server/openapi.json', 'utf8'))

const schemas = JSON.stringify(components.schemas)
const definitions = JSON.parse(schemas.replaceAll('#/components/schemas/', '#/definitions/'))
const types = await compile({ definitions }, 'Everything', {
  additionalProperties: false,
  bannerComment: '/** The shapes on the wire. Made of openapi.json by .ci/wire.mjs. */',
  format: false,
  unreachableDefinitions: true,
  unknownAny: true,
})
// The generator says of each type that the whole has it, and the whole is nothing on the wire.
const named = types
  .replaceAll(/^ \*\s*\n(?= \* This interface)|^ \* This interface was.*\n \* via the.*\n/gm, '')
  .replaceAll(/^\/\*\*\n \*\/\n/gm, '')
  .replace(/export interface Everything \{[^}]*\}\n/, '')

/** The body and the answer of each operation with a body, by its path. */
const operations = Object.entries(paths).flatMap(([path, { post }]) => {
  if (!post) return []
  const [body, answer] = [post.requestBody, post.responses['200']].map(
    (schema) => /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema))?.[1],
  )
  return [`'${path.slice(1)}': { body: ${body}; answer: ${answer} }`]
})

const text = `${named}export interface Operations {\n${operations.join('\n')}\n}\n`
// tsc compiles again what is newer.
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
