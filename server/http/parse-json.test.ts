/** Long bodies: the same values as those of JSON.parse, read in slices. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NotParsed, parseLongJson } from './parse-json.ts'
import { deepestNesting } from './limits.ts'
import { isBranchName } from './schema.ts'

function parsed(text: string): { value: unknown; slices: number } {
  const work = parseLongJson(Buffer.from(text), deepestNesting)
  for (let slices = 1; ; slices++) {
    const { done, value } = work.next()
    if (done === true) return { value, slices }
  }
}

/** The value, or that there is none. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return error instanceof NotParsed || error instanceof SyntaxError ? 'refused' : error
  }
}

const faultOf = (text: string): string | null => {
  try {
    parsed(text)
    return null
  } catch (error) {
    return error instanceof NotParsed ? error.message : String(error)
  }
}

test('any JSON has the value that JSON.parse gives it, with and without spaces', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 1, '\t'), (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space)
      expect(parsed(text).value).toStrictEqual(JSON.parse(text))
      expect(parsed(` ${json}\n`).value).toStrictEqual(JSON.parse(json))
    }),
  )
})

test('what JSON.parse refuses is refused, and what it takes is taken', () => {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '"a"', '1', '-', '0.5e3', '01', 'true', 'nul', '\\'],
    ...[' ', '\n', '\u0001', '"\\n"', '"\\u12"', '"\\x"', '"\u20ac"', '+1', 'NaN', '1"2', '1[2'],
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
      const text = tokens.join('')
      expect(outcomeOf(() => parsed(text).value)).toStrictEqual(outcomeOf(() => JSON.parse(text)))
    }),
    { numRuns: 500 },
  )
})

test('a fault says where it is', () => {
  expect(faultOf('[1, oops]')).toBe('the body is not JSON: unexpected "o" at byte 4')
  expect(faultOf('{"a": 1, }')).toBe('the body is not JSON: unexpected "}" at byte 9')
  expect(faultOf('{"a": [1, 2')).toBe('the body is not JSON: unexpected end at byte 11')
  expect(faultOf(`["${'a'.repeat(70_000)}", 01]`)).toBe(
    'the body is not JSON: unexpected "1" at byte 70006',
  )
})

test('a name of a prototype is an ordinary field', () => {
  const { value } = parsed('{"__proto__":{"a":1},"constructor":2,"a":3,"a":4}')
  expect(Object.entries(value ?? {})).toEqual([
    ['__proto__', { a: 1 }],
    ['constructor', 2],
    ['a', 4],
  ])
})

test('a list of short names and a string without an end of line are read in slices', () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `n${index}`)
  const list = parsed(JSON.stringify({ names }))
  expect(list.value).toEqual({ names })
  expect(list.slices).toBeGreaterThan(10)
  const long = parsed(JSON.stringify(['\n\u20ac\ud83d\ude00"\\'.repeat(50_000)]))
  expect(long.value).toEqual(['\n\u20ac\ud83d\ude00"\\'.repeat(50_000)])
  expect(long.slices).toBeGreaterThan(5)
  const escaped = `"${'\\ud83d\\ude00\\n'.repeat(50_000)}"`
  expect(parsed(escaped).value).toBe(JSON.parse(escaped))
})

//
test('too many levels, elements, digits or fields are named', () => {
  const numbers = (count: number): string => JSON.stringify(Array.from({ length: count }, () => 0))
  expect(faultOf(numbers(100_000))).toBeNull()
  expect(faultOf(numbers(100_001))).toBe('the body has more than 100000 elements in arrays')
  expect(faultOf('['.repeat(64) + ']'.repeat(64))).toBeNull()
  expect(faultOf('['.repeat(65) + ']'.repeat(65))).toBe('the body nests deeper than 64 levels')
  expect(faultOf(`[0.${'1'.repeat(398)}]`)).toBeNull()
  expect(faultOf(`[${'1'.repeat(401)}]`)).toBe('the body has a number of more than 400 characters')
  const fields = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 0])))
  expect(faultOf(fields(100_000))).toBeNull()
  expect(faultOf(fields(100_001))).toBe('the body has more than 100000 fields')
})

/** Valid for `git check-ref-format --branch`. `@` is not listed, because git reads it as HEAD. */
const good = 'main release/1.0 a a-b feature/ä x@y a.b @a a{b a/@ a-'.split(' ')

const bad = [
  ...'-a HEAD .a a/.b a..b a. a.lock a.lock/b a/ /a a//b @ a@{b'.split(' '),
  ...'a b,a~b,a^b,a:b,a?b,a*b,a[b,a\\b,a\tb,a\u0000b,a\u007fb,a\ud83db,'.split(','),
]

test.each(good)('%j is a valid branch name', (name) => {
  expect(isBranchName(name)).toBe(true)
})

test.each(bad)('%j is not a valid branch name', (name) => {
  expect(isBranchName(name)).toBe(false)
})

test('a name longer than 1000 bytes is not valid', () => {
  expect(isBranchName('x'.repeat(1000))).toBe(true)
  expect(isBranchName('x'.repeat(1001))).toBe(false)
})
