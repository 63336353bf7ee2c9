import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { formatVersion, snapshotFormat } from './format.ts'
import { readSnapshot, readSnapshotHeader } from './read-snapshot.ts'
import { linesOfText } from './testing/pieces.ts'
import { snapshotText } from './testing/written.ts'

const header = {
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
const whole = snapshotText(header, records)

function read(text: string): unknown {
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
    expect(read(whole)).toEqual({ header, seen: records })
    expect(readSnapshotHeader(linesOfText(whole))).toEqual(header)
  })

  test('gives a record that is as long as the checksum', () => {
    const record = { testRun: 1_234_567 }
    expect(JSON.stringify(record)).toHaveLength('],"crc":"00000000"}'.length)
    expect(read(snapshotText(header, [record]))).toEqual({ header, seen: [record] })
  })

  test.each([
    ['', /the file: expected a whole snapshot, got one that is cut short$/],
    [whole.slice(0, -30), /line 5: expected a record that fits those before it, got /],
    [whole.slice(0, whole.lastIndexOf('\n]') + 1), /the file: expected a whole snapshot/],
    [whole.replace('"ALL"', '"ALT"'), /line 6: expected the checksum \],"crc":"[0-9a-f]{8}"}, got/],
    [
      whole.replace('{"testRun":1}', ']'),
      /line 5: expected a record that fits those before it, got /,
    ],
    [`${whole}more`, /line 7: expected the end of the file, got more$/],
    [
      snapshotText({ ...header, snapshot: 'x' }, []),
      /line 1: expected a mergeyard snapshot of ver/,
    ],
    [snapshotText({ ...header, version: 0 }, []), /of version 1 or 2, got .*"version":0}$/],
    [snapshotText({ ...header, version: 3 }, []), /version 1 or 2, got version 3 of a newer/],
    ['another file\n', /line 1: expected a mergeyard snapshot of version 1 or 2, got /],
  ])('that is damaged throws DamagedRecording: case %#', (text, expected) => {
    expect(read(text)).toMatch(/^DamagedRecording: /)
    expect(read(text)).toMatch(expected)
  })

  test('without a header throws', () => {
    expect(() => readSnapshotHeader(linesOfText(''))).toThrow(/got an empty file$/)
  })
})
