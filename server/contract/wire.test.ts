import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { format } from 'oxfmt'
import { openApi } from './openapi.ts'

const header = `/**
 * The shapes on the wire. Generated from openapi.json: change that, then run
 * \`npm run build && npx vitest run dist/server/contract/wire.test.js -u\`.
 */`

/**
 * Generates `server/contract/wire.ts`: a type for each schema of the OpenAPI document.
 *
 * OpenAPI 3.1 schemas are JSON Schemas, so a generator for JSON Schema is enough. It needs its own
 * form of references. Descriptions are left out, because the document contains them.
 */
async function wireSource(): Promise<string> {
  const isDescription = (key: string): boolean => key === 'description'
  const text = JSON.stringify(openApi.components.schemas, (key, value: unknown) =>
    isDescription(key) && typeof value === 'string' ? undefined : value,
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
  const style = { semi: false, singleQuote: true, printWidth: 100 }
  const { code, errors } = await format('wire.ts', `${header}\n\n${types}`, style)
  if (errors.length > 0)
    throw new Error(`the generated types have mistakes: ${JSON.stringify(errors)}`)
  return code
}

const file = fileURLToPath(new URL('../../../server/contract/wire.ts', import.meta.url))

test('wire.ts is what the generator makes from the OpenAPI document', async () => {
  await expect(await wireSource()).toMatchFileSnapshot(file)
})
