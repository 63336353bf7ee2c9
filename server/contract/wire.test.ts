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
    .concat(`export interface Operations {\n${operations().join('\n')}\n}\n`)
  const style = { semi: false, singleQuote: true, printWidth: 100 }
  const { code, errors } = await format('wire.ts', `${header}\n\n${types}`, style)
  if (errors.length > 0)
    throw new Error(`the generated types have mistakes: ${JSON.stringify(errors)}`)
  return code
}

/** The body and the answer of each operation with a body, by its path. */
function operations(): string[] {
  return Object.entries(openApi.paths).flatMap(([path, { post }]) => {
    if (!post) return []
    const asked = JSON.stringify(post.requestBody?.content['application/json'].schema)
    const [body = '', answer = ''] = [asked, JSON.stringify(post.responses['200'])].map(
      (schema) => /#\/components\/schemas\/(\w+)/.exec(schema)?.[1],
    )
    return [`'${path.slice(1)}': { body: ${body}; answer: ${answer} }`]
  })
}

const file = fileURLToPath(new URL('../../../server/contract/wire.ts', import.meta.url))

test('wire.ts is what the generator makes from the OpenAPI document', async () => {
  await expect(await wireSource()).toMatchFileSnapshot(file)
})
