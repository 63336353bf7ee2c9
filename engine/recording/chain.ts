/**
 * The segments of a log in order, with the end of each as the header of the next one records it.
 *
 * A segment without a complete header holds nothing: a crash interrupted its beginning. The next
 * start begins another one, whose header skips it.
 */

import type { LogHeader, RecordedEnd } from './format.ts'

export type LinkedSegment = {
  readonly segment: number
  /** Null if the header is damaged. */
  readonly header: LogHeader | null
  /** Null for the last segment, and before a segment of version 1. */
  readonly end: RecordedEnd | null
  readonly isLast: boolean
}

/**
 * Links segments, given in ascending order. `headerOf` returns null for an incomplete header.
 */
export function linkSegments(
  segments: readonly number[],
  headerOf: (segment: number) => LogHeader | null,
): LinkedSegment[] {
  const linked: LinkedSegment[] = []
  let next: LogHeader | null = null
  for (const segment of segments.toReversed()) {
    const header = headerOf(segment)
    const previous: RecordedEnd | null = next?.previous ?? null
    const isSkipped = next === null || (previous !== null && previous.segment < segment)
    if (header === null && isSkipped) continue
    const end = previous?.segment === segment ? previous : null
    linked.push({ segment, header, end, isLast: next === null })
    next = header ?? next
  }
  return linked.reverse()
}
