import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOf } from './lines.ts'
import { linesOfText } from './testing/pieces.ts'

const chunk = 1 << 20

test('lines of any length are read as written, each with its number and offset', () => {
  const length = fc.oneof(
    fc.nat(100),
    fc.integer({ min: chunk - 3, max: chunk + 3 }),
    fc.integer({ min: 2 * chunk - 3, max: 3 * chunk }),
  )
  const readBytes = fc.constantFrom(1 << 16, chunk - 1, Infinity)
  fc.assert(
    fc.property(
      fc.array(length, { maxLength: 6 }),
      fc.nat(100),
      readBytes,
      (lengths, torn, each) => {
        const lines = lengths.map((long, index) => String(index).repeat(long))
        const texts = [...lines, ...(torn === 0 ? [] : ['#'.repeat(torn)])]
        let offset = 0
        const expected = texts.map((text, index) => {
          const position = { number: index + 1, offset, isWhole: index < lines.length }
          offset += text.length + 1
          return { long: text.length, ...position }
        })
        const found = Array.from(
          linesOfText([...lines, '#'.repeat(torn)].join('\n'), each),
          ({ pieces, length: bytes, ...position }) => ({
            text: textOf({ pieces, length: bytes }),
            ...position,
          }),
        )
        expect(found.map(({ text, ...position }) => ({ long: text.length, ...position }))).toEqual(
          expected,
        )
        expect(found.every(({ text }, index) => text === texts[index])).toBe(true)
      },
    ),
    { numRuns: 20 },
  )
})

test('a byte order mark is part of its line', () => {
  expect(Array.from(linesOfText('\ufeffü\n'), textOf)).toEqual(['\ufeffü'])
})

test('a file that ends with a chunk has no further line behind its last line end', () => {
  const long = 'a'.repeat(chunk - 3)
  expect(Array.from(linesOfText(`${long}\nb\n`), textOf)).toEqual([long, 'b'])
})

test('a line that is longer than a chunk ends at its first line end, though others follow at once', () => {
  const long = 'a'.repeat(chunk + 5)
  expect(Array.from(linesOfText(`${long}\nb\nc\n`), textOf)).toEqual([long, 'b', 'c'])
})

test('a last line that is longer than a chunk and has no line end is not whole', () => {
  const long = 'a'.repeat(chunk + 5)
  const found = Array.from(linesOfText(`b\n${long}`), ({ isWhole, length }) => [isWhole, length])
  expect(found).toEqual([
    [true, 1],
    [false, long.length],
  ])
})
