/**
 * Translates the errors of a JSON Schema validator to faults of a document. The errors are plain
 * data, as ajv returns them with its options `allErrors` and `verbose`.
 */

import { removedSettings } from '../model/configuration.ts'

/** A schema, or a part of one. */
type Schema = { readonly [keyword: string]: unknown }

/** The fields of an ajv error that are read here. */
export type SchemaError = {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: Schema
  readonly message?: string
  readonly parentSchema?: Schema
  readonly data?: unknown
}

export type SchemaFault = {
  /** A JSON pointer to the wrong value, or to the key that is missing or unknown. */
  readonly where: string
  /** The allowed value in words: `an integer`, `at least 1`, or the `x-expected` of its schema. */
  readonly expected: string
  /** The value found; undefined if the key is missing. */
  readonly actual: unknown
  /** If the key is unknown: those that are known, of which it may be a misspelling. */
  readonly known?: readonly string[]
}

/** Returns the schema that a schema refers to by `$ref`, or the schema itself. */
export type Resolve = (schema: Schema) => Schema

/**
 * Returns one fault for each thing to correct, in the order of the errors. `resolve` finds the
 * schema of a missing key, so that the fault can say what the key should contain.
 */
export function schemaFaults(
  errors: readonly SchemaError[],
  resolve: Resolve = (schema) => schema,
): SchemaFault[] {
  const choices = errors.filter(({ keyword }) => choiceKeywords.has(keyword))
  const noise = new Set(choices.flatMap((choice) => noiseOf(choice, errors)))
  const faults = errors
    .filter((error) => error.keyword !== 'if' && !noise.has(error))
    .filter((error) => !isOfWrongType(error, errors) && !isOfMissingTag(error, errors))
    .map((error) => faultOf(error, resolve))
  const unique = new Map(faults.map((fault) => [`${fault.where} ${fault.expected}`, fault]))
  return [...unique.values()]
}

/**
 * If a choice fails, the errors of its branches are noise, because the choice itself says what is
 * expected. But if a branch accepted the value and found faults inside it, these must be corrected,
 * and the choice is noise.
 */
function noiseOf(choice: SchemaError, errors: readonly SchemaError[]): SchemaError[] {
  const reasons = errors.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`))
  const outside = reasons.filter(({ instancePath }) => instancePath === choice.instancePath)
  return outside.length < reasons.length ? [choice, ...outside] : outside
}

/** True for an `enum` error of a value that has the wrong type: one fault is enough. */
function isOfWrongType({ keyword, instancePath }: SchemaError, errors: readonly SchemaError[]) {
  if (keyword !== 'enum') return false
  return errors.some((other) => other.keyword === 'type' && other.instancePath === instancePath)
}

/** True for a missing key that tells the branches of a choice apart: that fault says which there are. */
function isOfMissingTag(
  { keyword, instancePath, params }: SchemaError,
  errors: readonly SchemaError[],
) {
  const isTag = (other: SchemaError): boolean =>
    other.keyword === 'discriminator' && other.params['tag'] === params['missingProperty']
  return (
    keyword === 'required' &&
    errors.some((other) => isTag(other) && other.instancePath === instancePath)
  )
}

/** The parameter in which ajv names the key that is wrong, by keyword. */
const keyOf: Schema = {
  additionalProperties: 'additionalProperty',
  required: 'missingProperty',
  discriminator: 'tag',
}

function faultOf(error: SchemaError, resolve: Resolve): SchemaFault {
  const { keyword, instancePath, params, data } = error
  const key = keyOf[keyword]
  if (typeof key !== 'string') {
    return { where: instancePath, expected: expectedBy(error), actual: data }
  }
  const name = String(params[key])
  const where = instancePath + jsonPointer(name)
  if (keyword === 'discriminator') {
    return { where, expected: `one of ${tagsOf(error, resolve)}`, actual: memberOf(data, name) }
  }
  if (keyword !== 'required') {
    const known = knownKeys(error)
    return { where, expected: wordsOf(error), actual: memberOf(data, name), known }
  }
  const property = memberOf(error.parentSchema?.['properties'], name)
  return { where, expected: contentOf(property, resolve), actual: undefined }
}

type Expected = (error: SchemaError) => string

const knownKeys = ({ parentSchema }: SchemaError): string[] =>
  membersOf(parentSchema?.['properties']).map(([name]) => name)

const limitOf = ({ params }: SchemaError): string => String(params['limit'])
const atLeast: Expected = (error) => `at least ${limitOf(error)}`
const atMost: Expected = (error) => `at most ${limitOf(error)}`
const moreThan: Expected = (error) => `more than ${limitOf(error)}`
const entriesOf = (error: SchemaError): string =>
  limitOf(error) === '1' ? '1 entry' : `${limitOf(error)} entries`
const atLeastEntries: Expected = (error) => `at least ${entriesOf(error)}`
const atMostEntries: Expected = (error) => `at most ${entriesOf(error)}`

/** What each keyword expects, in words. */
const expectations: Readonly<Record<string, Expected>> = {
  type: ({ params }) => typesIn(params['type']),
  additionalProperties: (error) =>
    replacementOf(String(error.params['additionalProperty']), error.parentSchema) ??
    `no such key, only ${knownKeys(error).join(', ')}`,
  enum: ({ params }) => `one of ${[params['allowedValues']].flat().map(String).join(', ')}`,
  const: ({ params }) => JSON.stringify(params['allowedValue']),
  minimum: atLeast,
  maximum: atMost,
  exclusiveMinimum: moreThan,
  minItems: atLeastEntries,
  maxItems: atMostEntries,
  minProperties: atLeastEntries,
  maxProperties: atMostEntries,
  minLength: (error) =>
    limitOf(error) === '1' ? 'a non-empty string' : `${atLeast(error)} characters`,
  maxLength: (error) => `${atMost(error)} characters`,
  uniqueItems: () => 'each value once',
}

/** A limit says more than the `x-expected` of its schema. */
const limits = new Set(['minimum', 'maximum', 'exclusiveMinimum'])
const choiceKeywords = new Set(['anyOf', 'oneOf'])

function expectedBy(error: SchemaError): string {
  const { keyword, parentSchema } = error
  const expected = parentSchema?.['x-expected']
  if (typeof expected === 'string' && !limits.has(keyword)) return expected
  const description = parentSchema?.['description']
  if (typeof description === 'string' && choiceKeywords.has(keyword)) return description
  return wordsOf(error)
}

function wordsOf(error: SchemaError): string {
  const { keyword, message } = error
  return expectations[keyword]?.(error) ?? `a value that ${message ?? `fits ${keyword}`}`
}

/** What has replaced a setting of a queue that is gone; null for any other key. */
function replacementOf(name: string, parentSchema: Schema | undefined): string | null {
  const isQueue = memberOf(parentSchema?.['properties'], 'policy') !== undefined
  const instead = isQueue ? removedSettings.get(name) : undefined
  return instead === undefined ? null : `no such key any more: ${instead}`
}

/** What the schema of a property expects, in words. */
function contentOf(property: unknown, resolve: Resolve): string {
  const schema = resolve(Object.fromEntries(membersOf(property)))
  const expected = schema['x-expected']
  if (typeof expected === 'string') return expected
  return schema['type'] === undefined ? 'a value' : typesIn(schema['type'])
}

function typesIn(types: unknown): string {
  return [types]
    .flat()
    .map((type) => withArticle(String(type)))
    .join(' or ')
}

function withArticle(type: string): string {
  if (type === 'null') return type
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`
}

/** The values of the property that selects the branch of a choice. */
function tagsOf({ params, parentSchema }: SchemaError, resolve: Resolve): string {
  const tag = String(params['tag'])
  return [parentSchema?.['oneOf']]
    .flat()
    .map((branch) => resolve(Object.fromEntries(membersOf(branch))))
    .map((branch) => memberOf(memberOf(branch['properties'], tag), 'const'))
    .join(', ')
}

/** Makes a JSON pointer (RFC 6901) from its parts. */
export function jsonPointer(...parts: readonly (string | number)[]): string {
  return parts
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function memberOf(value: unknown, key: string): unknown {
  return new Map(membersOf(value)).get(key)
}
