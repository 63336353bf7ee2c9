import { describe, expect, test } from 'vitest'
import { jsonPointer, schemaFaults, type SchemaError, type SchemaFault } from './schema-faults.ts'

/** An error of ajv with defaults for the fields that a test does not set. */
const errorOf = (error: Partial<SchemaError>): SchemaError => ({
  keyword: 'type',
  instancePath: '/a',
  schemaPath: '#/properties/a/type',
  params: {},
  ...error,
})

const faultOf = (error: Partial<SchemaError>): SchemaFault | undefined =>
  schemaFaults([errorOf(error)])[0]

describe('what is expected', () => {
  test.each([
    ['type', { type: ['integer', 'null'] }, 'an integer or null'],
    ['type', { type: 'string' }, 'a string'],
    ['enum', { allowedValues: ['x', 1, null] }, 'one of x, 1, null'],
    ['const', { allowedValue: 'x' }, '"x"'],
    ['minimum', { limit: 2 }, 'at least 2'],
    ['maxItems', { limit: 2 }, 'at most 2 entries'],
    ['minLength', { limit: 1 }, 'a non-empty string'],
    ['minLength', { limit: 2 }, 'at least 2 characters'],
    ['multipleOf', { multipleOf: 2 }, 'a value that must be multiple of 2'],
  ])('%s %j: %s', (keyword, params, expected) => {
    expect(faultOf({ keyword, params, message: 'must be multiple of 2', data: 7 })).toEqual({
      where: '/a',
      expected,
      actual: 7,
    })
  })

  test('is worded from the keyword when the validator gives no message', () => {
    expect(faultOf({ keyword: 'pattern' })?.expected).toBe('a value that fits pattern')
  })

  test('is the `x-expected` of the schema, except for limits', () => {
    const parentSchema = { 'x-expected': 'a number of months' }
    expect(faultOf({ params: { type: 'integer' }, parentSchema })?.expected).toBe(
      'a number of months',
    )
    expect(faultOf({ keyword: 'maximum', params: { limit: 12 }, parentSchema })?.expected).toBe(
      'at most 12',
    )
  })
})

describe('a key', () => {
  const parentSchema = {
    'x-expected': 'all of it',
    properties: { 'b/c': { $ref: '#/x' }, d: { type: 'object' }, e: {} },
  }

  test('that is missing gives a fault with the expected content', () => {
    const missing = (missingProperty: string): SchemaError =>
      errorOf({ keyword: 'required', params: { missingProperty }, parentSchema, data: {} })
    const resolve = (schema: object) =>
      '$ref' in schema ? { 'x-expected': 'an x' } : { ...schema }
    expect(schemaFaults(['b/c', 'd', 'e'].map(missing), resolve)).toEqual([
      { where: '/a/b~1c', expected: 'an x', actual: undefined },
      { where: '/a/d', expected: 'an object', actual: undefined },
      { where: '/a/e', expected: 'a value', actual: undefined },
    ])
  })

  test('that is unknown gives a fault with the known keys', () => {
    const params = { additionalProperty: 'z' }
    const data = { z: [1] }
    expect(faultOf({ keyword: 'additionalProperties', params, parentSchema, data })).toEqual({
      where: '/a/z',
      expected: 'no such key, only b/c, d, e',
      actual: [1],
      known: ['b/c', 'd', 'e'],
    })
  })
})

describe('of several errors about one value', () => {
  const choice = errorOf({
    keyword: 'anyOf',
    schemaPath: '#/properties/a/anyOf',
    parentSchema: { description: 'one or the other' },
  })
  const branch = errorOf({ schemaPath: '#/properties/a/anyOf/0/type', params: { type: 'string' } })

  test('only the fault of the choice stays, not the faults of its branches', () => {
    expect(schemaFaults([branch, choice])).toMatchObject([{ expected: 'one or the other' }])
  })

  test('when a branch accepted the value, only the faults inside it stay', () => {
    const inside = errorOf({
      instancePath: '/a/1',
      schemaPath: '#/properties/a/anyOf/1/items/type',
      params: { type: 'number' },
    })
    expect(schemaFaults([branch, inside, choice])).toMatchObject([
      { where: '/a/1', expected: 'a number' },
    ])
  })

  test('a wrong type hides other faults, and equal faults are reported once', () => {
    const type = errorOf({ params: { type: 'string' } })
    const allowed = errorOf({ keyword: 'enum', params: { allowedValues: ['x'] } })
    expect(schemaFaults([type, allowed, type])).toMatchObject([{ expected: 'a string' }])
  })

  test('a wrong type hides no fault of another value', () => {
    const type = errorOf({ instancePath: '/b', params: { type: 'string' } })
    const allowed = errorOf({ keyword: 'enum', params: { allowedValues: ['x', 'y'] } })
    expect(schemaFaults([type, allowed])).toMatchObject([
      { where: '/b', expected: 'a string' },
      { where: '/a', expected: 'one of x, y' },
    ])
  })
})

test('a JSON pointer escapes the characters / and ~', () => {
  expect(jsonPointer('a/b~c', 2)).toBe('/a~1b~0c/2')
  expect(jsonPointer()).toBe('')
})
