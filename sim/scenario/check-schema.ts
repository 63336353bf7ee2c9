/** The scenario schema at work: every fault of a document, each in one sentence. */

import { readFileSync } from 'node:fs'
import { Ajv2020, type SchemaObject, type ErrorObject } from 'ajv/dist/2020.js'
import { pointer, shown, type InputFault } from './bad-input.ts'
import type { Scenario } from './scenario.ts'

/** As seen from the compiled code, which lies one folder deeper than this file. */
const schemaFile = new URL('../../../scenarios/scenario.schema.json', import.meta.url)

const schema: SchemaObject = JSON.parse(readFileSync(schemaFile, 'utf8'))

const isScenario = new Ajv2020({
  allErrors: true,
  verbose: true,
  discriminator: true,
  allowUnionTypes: true,
  strictRequired: false,
}).compile<Scenario>(schema)

export type Checked =
  | { readonly scenario: Scenario; readonly faults: readonly [] }
  | { readonly scenario: null; readonly faults: readonly InputFault[] }

/** Whether the document is a scenario as far as the schema goes; all that is wrong, if not. */
export function checkSchema(document: unknown): Checked {
  if (isScenario(document)) return { scenario: document, faults: [] }
  const errors = isScenario.errors ?? []
  const choices = errors
    .filter(({ keyword }) => keyword === 'oneOf')
    .map(({ schemaPath }) => `${schemaPath}/`)
  const faults = errors
    .filter(({ keyword }) => keyword !== 'if')
    // Why each branch of a failed choice failed is noise: the choice itself says what is expected.
    .filter(({ schemaPath }) => !choices.some((choice) => schemaPath.startsWith(choice)))
    .map(faultOf)
  return { scenario: null, faults }
}

/** A fault stands at the value that is wrong, a missing or unknown key at the key. */
function faultOf(error: ErrorObject): InputFault {
  const { keyword, instancePath, data } = error
  const params = paramsOf(error)
  const key = keyOf[keyword]
  const name = key === undefined ? undefined : params(key)
  return {
    where: name === undefined ? instancePath : instancePath + pointer(name),
    expected: expectations[keyword]?.(params, error) ?? error.message ?? keyword,
    came: shown(name === undefined ? data : memberOf(data, name)),
  }
}

/** Where ajv names the key that a keyword complains about. */
const keyOf: Readonly<Record<string, string>> = {
  additionalProperties: 'additionalProperty',
  required: 'missingProperty',
  discriminator: 'tag',
}

type Params = (name: string) => string

function paramsOf({ params }: ErrorObject): Params {
  const known: Readonly<Record<string, unknown>> = params
  return (name) => String(known[name])
}

function memberOf(data: unknown, key: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined
  return Object.entries(data).find(([name]) => name === key)?.[1]
}

type Expected = (params: Params, error: ErrorObject) => string

const atLeast: Expected = (params) => `at least ${params('limit')}`
const atMost: Expected = (params) => `at most ${params('limit')}`
const atLeastInIt: Expected = (params) => `at least ${params('limit')} in it`
const atMostInIt: Expected = (params) => `at most ${params('limit')} in it`

/** What each keyword of the schema asks for, in words. */
const expectations: Readonly<Record<string, Expected>> = {
  additionalProperties: (_, error) => `no such key, only ${knownKeys(error)}`,
  required: () => 'a value',
  discriminator: (_, error) => `one of ${verbs(error)}`,
  type: (params) => params('type').split(',').map(withArticle).join(' or '),
  enum: (_, { schema: allowed }) => `one of ${[allowed].flat().map(shown).join(', ')}`,
  const: (_, { schema: allowed }) => shown(allowed),
  minimum: atLeast,
  maximum: atMost,
  minItems: atLeastInIt,
  minProperties: atLeastInIt,
  maxItems: atMostInIt,
  maxProperties: atMostInIt,
  minLength: (params) => `at least ${params('limit')} character`,
  maxLength: (params) => `at most ${params('limit')} characters`,
  uniqueItems: () => 'each of them once',
  oneOf: (_, { parentSchema }) => String(parentSchema?.['description']),
}

const articles: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
}

const withArticle = (type: string): string => articles[type] ?? `a ${type}`

function knownKeys({ parentSchema }: ErrorObject): string {
  const properties: unknown = parentSchema?.['properties']
  return typeof properties === 'object' && properties ? Object.keys(properties).join(', ') : 'none'
}

/** What `do` may say: the branches of the schema of an event. */
function verbs({ parentSchema }: ErrorObject): string {
  type Branch = { readonly properties: { readonly do: { readonly const: string } } }
  const branches: readonly Branch[] = parentSchema?.['oneOf'] ?? []
  return branches.map(({ properties }) => properties.do.const).join(', ')
}
