/**
 * Writes `server/wire.ts`: a type for each schema of the OpenAPI document.
 *
 * OpenAPI 3.1 schemas are JSON Schemas, so a generator for those serves; it needs no TypeScript
 * compiler, only references in the form it knows. What the fields mean is said in the document.
 */

import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { format } from 'prettier'
import { openApi } from '../openapi.ts'

const header = `/**
 * The shapes on the wire. Generated from openapi.json: change that, then run
 * \`npm run build && npx vitest run dist/server/wire.test.js -u\`.
 */`

export async function wireSource(): Promise<string> {
  const isNoise = (key: string): boolean => key === 'description'
  const text = JSON.stringify(openApi.components.schemas, (key, value: unknown) =>
    isNoise(key) && typeof value === 'string' ? undefined : value,
  )
  const definitions = text.replaceAll('#/components/schemas/', '#/definitions/')
  const everything: JSONSchema = { definitions: JSON.parse(definitions) }
  const source = await compile(everything, 'Everything', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    unreachableDefinitions: true,
    unknownAny: true,
  })
  const types = source
    .replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replace(/export interface Everything \{[^}]*\}\n/, '')
  const style = { parser: 'typescript', semi: false, singleQuote: true, printWidth: 100 } as const
  return format(`${header}\n\n${types}`, style)
}
