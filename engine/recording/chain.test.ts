import { expect, test } from 'vitest'
import { linkSegments, type LinkedSegment } from './chain.ts'
import { formatVersion, logFormat, type LogHeader, type RecordedEnd } from './format.ts'

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
