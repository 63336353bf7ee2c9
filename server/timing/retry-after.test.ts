import { expect, test } from 'vitest'
import { askedWaitMs, longestAskedMs } from './retry-after.ts'

const now = Date.parse('2026-11-29T20:00:00Z')

test.each([
  ['120', null, 120_000],
  [' 1.5 ', null, 1_500],
  ['Sun, 29 Nov 2026 20:02:00 GMT', null, 120_000],
  // Its clock is 90 s ahead of ours.
  ['Sun, 29 Nov 2026 20:02:00 GMT', 'Sun, 29 Nov 2026 20:01:30 GMT', 30_000],
  ['Sun, 29 Nov 2026 19:00:00 GMT', null, 0],
  ['999999999999', null, longestAskedMs],
  ['soon', null, null],
  [null, null, null],
])('Retry-After: %s at the date %s is a wait of %s ms', (after, date, wait) => {
  const headers: Readonly<Record<string, string | null>> = { 'retry-after': after, date }
  expect(askedWaitMs((name) => headers[name] ?? null, now)).toBe(wait)
})
