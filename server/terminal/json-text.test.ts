import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BadInput } from './bad-input.ts'
import { parseJson } from './json-text.ts'

/** The fault line for a text, or 'no fault'. */
function faultOf(text: string | Uint8Array): string {
  try {
    parseJson(text, 'a.json')
  } catch (error) {
    if (error instanceof BadInput) return error.lines.join('\n')
    throw error
  }
  return 'no fault'
}

describe('given a text that is not JSON, the fault names its line and column', () => {
  test.each([
    ['{"a": 1,}', 'a.json: 1:9: expected a key in double quotes, got "}"'],
    ['{a: 1}', 'a.json: 1:2: expected a key in double quotes, got "a: 1}"'],
    ['{"a" 1}', 'a.json: 1:6: expected ":", got "1}"'],
    ['[1 2]', 'a.json: 1:4: expected a comma or the closing bracket, got "2]"'],
    ['[1,]', 'a.json: 1:4: expected a value, got "]"'],
    ['[1}', 'a.json: 1:3: expected a comma or the closing bracket, got "}"'],
    ['{"a": 1]', 'a.json: 1:8: expected a comma or the closing bracket, got "]"'],
    ['', 'a.json: 1:1: expected a value, got the end of the text'],
    ['{"a": [', 'a.json: 1:8: expected "]", got the end of the text'],
    ['{} {}', 'a.json: 1:4: expected nothing more, got "{}"'],
    ['{"a": 01}', 'a.json: 1:8: expected a comma or the closing bracket, got "1}"'],
    ['{"a": tru}', 'a.json: 1:7: expected a value, got "tru}"'],
    ['{"a": NaN}', 'a.json: 1:7: expected a value, got "NaN}"'],
    ["{'a': 1}", 'a.json: 1:2: expected a key in double quotes, got "\'a\': 1}"'],
    ['{"a": "x\ny"}', 'a.json: 1:7: expected a string that ends on its line, got "\\"x"'],
    ['{"a": "\\q"}', 'a.json: 1:7: expected a string with valid escapes, got "\\"\\\\q\\"}"'],
    ['{\n  // a comment\n}', 'a.json: 2:3: expected no comment, got "// a comment"'],
    [
      '{\r\n"a": 1\r\n"b": 2}',
      'a.json: 3:1: expected a comma or the closing bracket, got "\\"b\\": 2}"',
    ],
    ['{"a": 1e400}', 'a.json: 1:7: expected a number below 1e308, got "1e400}"'],
    ['[-1e999]', 'a.json: 1:2: expected a number below 1e308, got "-1e999]"'],
    ['{}\ufeff', 'a.json: 1:3: expected JSON, got a byte order mark'],
  ])('%j', (text, line) => {
    expect(faultOf(text)).toBe(line)
  })

  test('a repeated key is a fault within one object, but not in two objects', () => {
    expect(faultOf('{"a": 1, "b": {"a": 1}}')).toBe('no fault')
    expect(faultOf('{"a": 1,\n "a": 2}')).toBe(
      'a.json: 2:2: expected each key once, got "\\"a\\": 2}"',
    )
  })

  test('bytes that are not UTF-8 are a fault', () => {
    expect(faultOf(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe(
      'a.json: 1:1: expected text in UTF-8, got other bytes',
    )
  })

  // S-17
  test('one byte order mark at the start is skipped, in bytes and in text', () => {
    expect(parseJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), 'a.json')).toEqual({})
    expect(parseJson('\ufeff{"a": 1}', 'a.json')).toEqual({ a: 1 })
    expect(faultOf('\ufeff\ufeff{}')).toBe('a.json: 1:1: expected a value, got a byte order mark')
  })

  test('brackets that nest too deep are a fault, however deep', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const fault =
      'a.json: 1:1001: expected at most 1000 levels of brackets, got "[]]]]]]]]]]]]]]]]]]]"'
    expect(faultOf(nested(1000))).toBe('no fault')
    expect(faultOf(nested(1001))).toBe(fault)
    expect(faultOf('['.repeat(200_000))).toMatch(/:1001: expected at most 1000 levels/)
  })
})

describe('compared with JSON.parse', () => {
  test('every JSON text gives the same value', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        // A random text may repeat a key in an object; the output of JSON.stringify never does.
        const once = JSON.stringify(JSON.parse(text))
        expect(parseJson(once, 'x')).toEqual(JSON.parse(once))
      }),
    )
  })

  test('when a text is changed at one position, both parsers reject it or neither does', () => {
    const mutation = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', '[', '0', 'e', ' '),
    )
    const isRejected = (read: () => unknown): boolean => {
      try {
        read()
        return false
      } catch {
        return true
      }
    }
    fc.assert(
      fc.property(mutation, ([text, at, insert]) => {
        const position = at % (text.length + 1)
        const changed = text.slice(0, position) + insert + text.slice(position + 1)
        // Of these the text is JSON, and not what a file means.
        fc.pre(!/each key once|a number below/.test(faultOf(changed)))
        const isRejectedHere = isRejected(() => parseJson(changed, 'x'))
        expect(isRejectedHere).toBe(isRejected(() => JSON.parse(changed)))
      }),
      { numRuns: 500 },
    )
  })
})
