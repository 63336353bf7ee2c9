/** The moving picture in words. */

import { toMinutes } from '../../../../sim/scenario/time.ts'
import { count } from '../../../../server/terminal/text.ts'
import type { RunStyle } from '../../../../sim/report/recording/runs.ts'
import type { Look } from '../../../../server/page/web/parts/mark.tsx'
import type { FilmedRun, Scene } from '../film/film.ts'

/** `Day 2, 14:20`: the simulation starts at midnight of the first day. */
export function clock(atMs: number): string {
  const minutes = Math.floor(toMinutes(atMs))
  const time = `${twoDigits(Math.floor(minutes / 60) % 24)}:${twoDigits(minutes % 60)}`
  return `Day ${Math.floor(minutes / 1440) + 1}, ${time}`
}

/** What is to be seen, in one sentence. */
export function sentenceOf({ inQueue, testing, resting, counts }: Scene): string {
  const parts = [
    `${count(testing)} tested`,
    `${count(resting.waiting.length)} waiting`,
    ...(resting.passed.length > 0 ? [`${count(resting.passed.length)} passed`] : []),
    ...(resting.held.length > 0 ? [`${count(resting.held.length)} held`] : []),
    ...(resting.bisecting.length > 0 ? [`${count(resting.bisecting.length)} bisected`] : []),
  ]
  return `${count(inQueue)} in the queue: ${parts.join(', ')}. ${count(counts.MERGED)} merged so far.`
}

export const endLooks: Readonly<Record<RunStyle, Look>> = {
  passed: 'passed',
  failed: 'failed',
  flaked: 'failed',
  cancelled: 'cancelled',
  lost: 'lost',
}

export const endWords: Readonly<Record<RunStyle, string>> = {
  passed: 'passed',
  failed: 'failed',
  flaked: 'failed for no reason',
  cancelled: 'cancelled',
  lost: 'lost',
}

/** How far a run is: `5 of 11 min`, `1:30 of 3:20 h`. */
export function progressWords({ from, to }: FilmedRun, at: number): string {
  const elapsed = Math.floor(toMinutes(at - from))
  const length = Math.ceil(toMinutes(to - from))
  if (length < hourMinutes) return `${elapsed} of ${length} min`
  const hours = (minutes: number): string =>
    `${Math.floor(minutes / hourMinutes)}:${twoDigits(minutes % hourMinutes)}`
  return `${hours(elapsed)} of ${hours(length)} h`
}

const hourMinutes = 60

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
