import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BadInput } from './bad-input.ts'
import { parseJson } from './json-text.ts'

/** The one line that a broken text is answered with. */
function faultOf(text: string | Uint8Array): string {
  try {
    parseJson(text, 'a.json')
  } catch (error) {
    if (error instanceof BadInput) return error.lines.join('\n')
    throw error
  }
  return 'no fault'
}

describe('a text that is no JSON', () => {
  test.each([
    ['{"a": 1,}', 'a.json: 1:9: expected a key in double quotes, came "}"'],
    ['{a: 1}', 'a.json: 1:2: expected a key in double quotes or "}", came "a: 1}"'],
    ['{"a" 1}', 'a.json: 1:6: expected ":", came "1}"'],
    ['[1 2]', 'a.json: 1:4: expected "," or "]", came "2]"'],
    ['[1,]', 'a.json: 1:4: expected a value, came "]"'],
    ['[1}', 'a.json: 1:3: expected "," or "]", came "}"'],
    ['{"a": 1]', 'a.json: 1:8: expected "," or "}", came "]"'],
    ['', 'a.json: 1:1: expected a value, came the end of the text'],
    ['{"a": [', 'a.json: 1:8: expected a value or "]", came the end of the text'],
    ['{} {}', 'a.json: 1:4: expected nothing more, came "{}"'],
    ['{"a": 01}', 'a.json: 1:7: expected a value, came "01}"'],
    ['{"a": tru}', 'a.json: 1:7: expected a value, came "tru}"'],
    ['{"a": NaN}', 'a.json: 1:7: expected a value, came "NaN}"'],
    ["{'a': 1}", 'a.json: 1:2: expected a key in double quotes or "}", came "\'a\': 1}"'],
    ['{"a": "x\ny"}', 'a.json: 1:7: expected a value, came "\\"x"'],
    ['{"a": "\\q"}', 'a.json: 1:7: expected a value, came "\\"\\\\q\\"}"'],
    [
      '{\n  // a comment\n}',
      'a.json: 2:3: expected a key in double quotes or "}", came "// a comment"',
    ],
    ['{\r\n"a": 1\r\n"b": 2}', 'a.json: 3:1: expected "," or "}", came "\\"b\\": 2}"'],
    ['\ufeff{}', 'a.json: 1:1: expected a value, came a byte order mark'],
  ])('%j', (text, line) => {
    expect(faultOf(text)).toBe(line)
  })

  test('a key that stands twice in one object is a fault, in two objects it is not', () => {
    expect(faultOf('{"a": 1, "b": {"a": 1}}')).toBe('no fault')
    expect(faultOf('{"a": 1,\n "a": 2}')).toBe(
      'a.json: 2:2: expected each key once, came "\\"a\\": 2}"',
    )
  })

  test('bytes that are not UTF-8, and a byte order mark in bytes', () => {
    expect(faultOf(Uint8Array.of(0x7b, 0xff, 0x7d))).toBe(
      'a.json: 1:1: expected text in UTF-8, came other bytes',
    )
    expect(faultOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toBe(
      'a.json: 1:1: expected a value, came a byte order mark',
    )
  })

  test('brackets may nest deeper than any stack', () => {
    expect(faultOf('['.repeat(200_000))).toMatch(/:200001: expected a value or "\]"/)
  })
})

describe('against JSON.parse', () => {
  test('every JSON text is read the same', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        // Random objects may hold a key twice in what they print; JSON.stringify never does.
        const once = JSON.stringify(JSON.parse(text))
        expect(parseJson(once, 'x')).toEqual(JSON.parse(once))
      }),
    )
  })

  test('a text with something changed is refused by both or by neither', () => {
    const mutation = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', '[', '0', 'e', ' '),
    )
    const isRefused = (read: () => unknown): boolean => {
      try {
        read()
        return false
      } catch {
        return true
      }
    }
    fc.assert(
      fc.property(mutation, ([text, at, insert]) => {
        const place = at % (text.length + 1)
        const changed = text.slice(0, place) + insert + text.slice(place + 1)
        fc.pre(!faultOf(changed).includes('each key once'))
        expect(isRefused(() => parseJson(changed, 'x'))).toBe(isRefused(() => JSON.parse(changed)))
      }),
      { numRuns: 500 },
    )
  })
})
