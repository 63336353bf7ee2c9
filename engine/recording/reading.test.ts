import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { formatVersion, logFormat, missingSegment, snapshotFormat } from './format.ts'
import { readSegment, type SegmentStart, readSnapshot, readSnapshotHeader } from './reading.ts'
import { linesOfText, checkedText, snapshotText } from './testing/recorded.ts'

const header = { log: logFormat, version: formatVersion, segment: 2, after: 5 }
const entryOf = (sequence: number, text = ''): string =>
  checkedText({ sequence, at: 1, queue: null, command: { type: 'deleteQueue', text } })
const impossible = 8
const whole = [checkedText(header), entryOf(6), entryOf(7)].join('')

/** The entries read from the text and the end of the reading, or the error. */
function read(text: string, start: Partial<SegmentStart> = {}): unknown {
  const seen: number[] = []
  const all = { segment: 2, after: 5, isLast: false, ...start }
  try {
    const take = ({ sequence }: { sequence: number }): void => {
      if (sequence === impossible) throw new Error('one too many')
      seen.push(sequence)
    }
    return { seen, ...readSegment(linesOfText(text), all, crc32, take) }
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error
  }
}

const entries = [6, 7]
const crc = crc32(whole)

describe('a segment', () => {
  //
  test('is read up to the end that the next one records; the rest was never acknowledged', () => {
    const end = { bytes: whole.length, crc }
    const expected = { seen: entries, bytes: whole.length, crc, sequence: 7 }
    for (const rest of ['', entryOf(8), entryOf(7), 'torn', '\0\0\0']) {
      expect(read(whole + rest, { end })).toMatchObject(expected)
    }
    expect(read('torn head', { end: { bytes: 0, crc: 0 } })).toMatchObject({ seen: [], bytes: 0 })
  })

  //
  test('that ends before the recorded end, or differs from it, is damaged', () => {
    const end = { bytes: whole.length, crc }
    const cut = whole.slice(0, -entryOf(7).length)
    expect(read(cut, { end })).toMatch(/the file: expected 273 bytes .*, got \d\d\d bytes with/)
    const other = whole.replace(entryOf(7), entryOf(7, 'a').replace(/./, ' '))
    expect(read(other, { end })).toMatch(/^DamagedRecording: /)
    expect(read(whole, { end: { ...end, crc: 0xabcdef } })).toMatch(
      /with the CRC-32 00abcdef, as the next/,
    )
    expect(read(whole, { end: { ...end, bytes: whole.length - 9 } })).toMatch(/^DamagedRecording/)
  })

  //
  test('that is the last one ends before an entry that another writer appended', () => {
    const expected = { seen: entries, bytes: whole.length, isForeign: true }
    expect(read(`${whole}${entryOf(7, 'x')}`, { isLast: true })).toMatchObject(expected)
  })

  test('returns every entry with its line number', () => {
    const end = { bytes: whole.length, crc, tornBytes: 0, sequence: 7, isForeign: false }
    expect(read(whole)).toEqual({ seen: entries, ...end })
    expect(read(whole, { after: null })).toEqual({ seen: entries, ...end })
  })

  test('may end with an incomplete line if it is the last segment', () => {
    for (const length of [1, 20, entryOf(8).length - 1]) {
      const torn = `${whole}${entryOf(8).slice(0, length)}`
      expect(read(torn, { isLast: true })).toEqual({
        seen: entries,
        bytes: whole.length,
        crc,
        tornBytes: length,
        sequence: 7,
        isForeign: false,
      })
      expect(read(torn)).toMatch(/line 4: expected a whole line .*, got one without an end$/)
    }
    const none = { seen: [], bytes: 0, crc: 0, sequence: null, isForeign: false }
    const last = { isLast: true, after: null }
    expect(read(whole.slice(0, 10), last)).toEqual({ ...none, tornBytes: 10 })
    expect(read('', last)).toEqual({ ...none, tornBytes: 0 })
  })

  test.each([
    ['', /the file: expected segment 2 of a mergeyard command log .*, got an empty file$/],
    ['{}\n', /line 1: expected a whole line that fits its checksum, got another$/],
    [whole.replace('"at":1', '"at":2'), /line 2: expected a whole line .*, got another$/],
    [whole.replace(entryOf(6), ''), /line 2: expected entry 6, got entry 7$/],
    [whole.replace(entryOf(6), '\n'), /line 2: .*checksum/],
    [whole.replace(entryOf(7), entryOf(6)), /line 3: expected entry 7, got entry 6$/],
    [
      checkedText({ ...header, log: 'x' }),
      /line 1: expected segment 2 of a mer.*, got .*"log":"x"/,
    ],
    [checkedText({ ...header, version: 0 }), /version 1 or 2 after entry 5, got .*"version":0/],
    [checkedText({ ...header, version: 3 }), /format version 1 or 2, got version 3 of a newer/],
    [checkedText({ ...header, log: 'x', version: 3 }), /line 1: expected segment 2 .*"log":"x"/],
    [checkedText({ ...header, segment: 3 }), /expected segment 2.*, got .*"segment":3/],
    [checkedText({ ...header, after: 4 }), /after entry 5, got .*"after":4/],
    [entryOf(6), /line 1: expected segment 2/],
    [`${whole}${entryOf(8)}`, /line 4: expected an entry that fits .*, got one too many$/],
  ])('%j is damaged', (text, expected) => {
    expect(read(text)).toMatch(/^DamagedRecording: /)
    expect(read(text)).toMatch(expected)
  })

  test('that is the first to be read may follow any entry, and its fault names none', () => {
    const first = { segment: 2, after: null } as const
    expect(read(checkedText({ ...header, version: 0 }), first)).toMatch(/of version 1 or 2, got/)
  })
})

test('missingSegment finds the first missing segment', () => {
  expect(missingSegment(2, [1, 2, 3])).toBeNull()
  expect(missingSegment(2, [1, 3, 4])).toBe(2)
  expect(missingSegment(2, [2, 3, 5])).toBe(4)
  expect(missingSegment(1, [])).toBeNull()
})

const snapshotHeader = {
  snapshot: snapshotFormat,
  version: formatVersion,
  segment: 2,
  sequence: 7,
  at: 1,
}
const targets = Array.from({ length: 10_000 }, (_, index) => `//lib/"${index}", ü`)
const records = [
  { queue: 'a', batches: [{ targets: ['x'] }, { targets }] },
  { impactedTargets: 7, targets },
  { impactedTargets: 8, targets: 'ALL' },
  { testRun: 1 },
]
const wholeSnapshot = snapshotText(snapshotHeader, records)

function readWith(text: string): unknown {
  const seen: unknown[] = []
  try {
    const found = readSnapshot(linesOfText(text), crc32, ({ text: json, revive }) =>
      seen.push(JSON.parse(json, revive)),
    )
    return { header: found, seen }
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : error
  }
}

describe('a snapshot', () => {
  test('gives every record', () => {
    expect(readWith(wholeSnapshot)).toEqual({ header: snapshotHeader, seen: records })
    expect(readSnapshotHeader(linesOfText(wholeSnapshot))).toEqual(snapshotHeader)
  })

  test('gives a record that is as long as the checksum', () => {
    const record = { testRun: 1_234_567 }
    expect(JSON.stringify(record)).toHaveLength('],"crc":"00000000"}'.length)
    expect(readWith(snapshotText(snapshotHeader, [record]))).toEqual({
      header: snapshotHeader,
      seen: [record],
    })
  })

  test.each([
    ['', /the file: expected a whole snapshot, got one that is cut short$/],
    [wholeSnapshot.slice(0, -30), /line 5: expected a record that fits those before it, got /],
    [
      wholeSnapshot.slice(0, wholeSnapshot.lastIndexOf('\n]') + 1),
      /the file: expected a whole snapshot/,
    ],
    [
      wholeSnapshot.replace('"ALL"', '"ALT"'),
      /line 6: expected the checksum \],"crc":"[0-9a-f]{8}"}, got/,
    ],
    [
      wholeSnapshot.replace('{"testRun":1}', ']'),
      /line 5: expected a record that fits those before it, got /,
    ],
    [`${wholeSnapshot}more`, /line 7: expected the end of the file, got more$/],
    [
      snapshotText({ ...snapshotHeader, snapshot: 'x' }, []),
      /line 1: expected a mergeyard snapshot of ver/,
    ],
    [snapshotText({ ...snapshotHeader, version: 0 }, []), /of version 1 or 2, got .*"version":0}$/],
    [
      snapshotText({ ...snapshotHeader, version: 3 }, []),
      /version 1 or 2, got version 3 of a newer/,
    ],
    ['another file\n', /line 1: expected a mergeyard snapshot of version 1 or 2, got /],
  ])('that is damaged throws DamagedRecording: case %#', (text, expected) => {
    expect(readWith(text)).toMatch(/^DamagedRecording: /)
    expect(readWith(text)).toMatch(expected)
  })

  test('without a header throws', () => {
    expect(() => readSnapshotHeader(linesOfText(''))).toThrow(/got an empty file$/)
  })
})
