import { crc32 } from 'node:zlib'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  textOf,
  isCheckedLine,
  linkSegments,
  type LinkedSegment,
  jsonWithTargets,
} from './lines.ts'
import { linesOfText, inPieces, checkedText } from './testing/recorded.ts'
import { formatVersion, logFormat, type LogHeader, type RecordedEnd } from './format.ts'

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

const line = Buffer.from(checkedText({ sequence: 7, text: 'a "quoted" ü text' }).trimEnd())

test('a line matches its checksum, for pieces of any size', () => {
  for (let bytes = 1; bytes <= line.length; bytes++) {
    expect(isCheckedLine(inPieces(line, bytes), crc32)).toBe(true)
  }
})

test('every changed byte of a line is detected', () => {
  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(line)
      changed[at] = (changed[at] ?? 0) ^ change
      expect(isCheckedLine(inPieces(changed), crc32)).toBe(false)
    }),
  )
})

test('every missing or surplus byte at the end is detected', () => {
  for (const text of ['', '{}', line.subarray(0, -1), line.subarray(1), `${line.toString()} `]) {
    expect(isCheckedLine(inPieces(text), crc32)).toBe(false)
  }
})

const endOf = (segment: number): RecordedEnd => ({ segment, bytes: segment * 100, crc: segment })

/** The header of a segment; `previous` is the segment that it continues. */
function header(segment: number, previous?: number): LogHeader {
  const start = { log: logFormat, version: formatVersion, segment, after: 0 }
  return previous === undefined ? start : { ...start, previous: endOf(previous) }
}

const link = (headers: readonly LogHeader[], segments: readonly number[]): LinkedSegment[] =>
  linkSegments(segments, (segment) => headers.find((each) => each.segment === segment) ?? null)

test('each segment ends where the next one says; the last one has no such end', () => {
  expect(link([header(1), header(2, 1), header(3, 2)], [1, 2, 3])).toEqual([
    { segment: 1, header: header(1), end: endOf(1), isLast: false },
    { segment: 2, header: header(2, 1), end: endOf(2), isLast: false },
    { segment: 3, header: header(3, 2), end: null, isLast: true },
  ])
})

test('segments of version 1 do not name the end of the one before', () => {
  const linked = link([header(1), header(2), header(3, 2)], [1, 2, 3])
  expect(linked.map(({ end }) => end)).toEqual([null, endOf(2), null])
})

test('a segment whose beginning a crash interrupted is skipped', () => {
  const linked = link([header(1), header(3, 1)], [1, 2, 3, 4, 5])
  expect(linked.map(({ segment }) => segment)).toEqual([1, 3])
  expect(linked.map(({ end }) => end)).toEqual([endOf(1), null])
  expect(linked.map(({ isLast }) => isLast)).toEqual([false, true])
  expect(link([], [1])).toEqual([])
})

test('a segment that had a beginning and lost it is not skipped', () => {
  const damaged = { segment: 2, header: null, isLast: false }
  expect(link([header(1), header(3, 2)], [1, 2, 3])[1]).toEqual({ ...damaged, end: endOf(2) })
  expect(link([header(1), header(3)], [1, 2, 3])[1]).toEqual({ ...damaged, end: null })
})

test('a segment whose header is damaged is not skipped if the next one continues it', () => {
  const linked = link([header(1), header(3, 2)], [1, 2, 3])
  expect(linked).toEqual([
    { segment: 1, header: header(1), end: null, isLast: false },
    { segment: 2, header: null, end: endOf(2), isLast: false },
    { segment: 3, header: header(3, 2), end: null, isLast: true },
  ])
})

test('targets with any names, in pieces of any size, are read as written', () => {
  const names = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(',', '"', '\\', ']', '","', '[]', '')),
    { minLength: 1 },
  )
  fc.assert(
    fc.property(
      names,
      fc.string(),
      fc.integer({ min: 20_000, max: 40_000 }),
      (some, sha, bytes) => {
        const targets = Array.from({ length: 25_000 }, (_, index) => some[index % some.length])
        const command = { type: 'setImpactedTargets', number: 7, targets, sha }
        const { text, revive } = jsonWithTargets(inPieces(JSON.stringify({ command }), bytes))
        expect(text.length).toBeLessThan(1000)
        // `toEqual` takes a second for so many, and fast-check prints what was not equal.
        expect(isDeepStrictEqual(JSON.parse(text, revive), { command })).toBe(true)
      },
    ),
    { numRuns: 3 },
  )
})

test('a long text without targets is read unchanged, in pieces of any size', () => {
  const json = JSON.stringify({ names: ['[', 'targets', '"targets":[', 'x'.repeat(100_000)] })
  for (const bytes of [1000, 1001, 1 << 16, 1 << 20]) {
    expect(jsonWithTargets(inPieces(json, bytes))).toEqual({ text: json })
  }
})

test('a list that opens behind the first piece is read as written, in pieces of any size', () => {
  const targets = ['a', 'b,c', ']"', '']
  const command = { type: 'setImpactedTargets', sha: 'x'.repeat(100_000), targets, number: 7 }
  for (const bytes of [1000, 1001, 1 << 16, 100_060, 1 << 20]) {
    const { text, revive } = jsonWithTargets(inPieces(JSON.stringify({ command }), bytes))
    expect(text).toContain('"targets":[]')
    expect(JSON.parse(text, revive)).toEqual({ command })
  }
})

test('a short text is read at once and unchanged, so several of its lists may be called targets', () => {
  const json = JSON.stringify({ groups: [{ targets: ['a', 'b'] }, { targets: ['c'] }] })
  expect(jsonWithTargets(inPieces(json, 10))).toEqual({ text: json })
})

test('a name that is longer than several pieces, and space between names, are read as written', () => {
  const targets = ['a', 'x'.repeat(100_000), 'b']
  const json = JSON.stringify({ targets, sha: '1' }).replaceAll('","', '" , "')
  for (const bytes of [1000, 1 << 16, 1 << 20]) {
    const { text, revive } = jsonWithTargets(inPieces(json, bytes))
    expect(text).toBe('{"targets":[],"sha":"1"}')
    expect(JSON.parse(text, revive)).toEqual({ targets, sha: '1' })
  }
})
