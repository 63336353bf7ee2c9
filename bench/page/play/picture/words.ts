/** The moving picture in words. */

import { toMinutes } from '../../../../sim/scenario/time.ts'
import { count, duration } from '../../../../sim/terminal/text.ts'
import type { RunStyle } from '../../../../sim/report/timeline/run-style.ts'
import type { Look } from '../../parts/looks.ts'
import type { Scene, SlotScene } from './scene.ts'

/** `Day 2, 14:20`: the simulation starts at midnight of the first day. */
export function clock(atMs: number): string {
  const minutes = Math.floor(toMinutes(atMs))
  const two = (value: number): string => String(value).padStart(2, '0')
  const time = `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`
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

const endWords: Readonly<Record<RunStyle, string>> = {
  passed: 'passed',
  failed: 'failed',
  flaked: 'failed for no reason',
  cancelled: 'cancelled',
  lost: 'lost',
}

/** What a slot does, in words: `5 of 11 min`. */
export function slotWords({ run, isOver }: SlotScene, at: number): string {
  if (!run) return 'free'
  if (isOver) return endWords[run.ending]
  const [elapsed, length] = [at - run.from, run.to - run.from].map(toMinutes)
  if (length === undefined || elapsed === undefined) return ''
  if (length < hourMinutes) return `${Math.floor(elapsed)} of ${Math.ceil(length)} min`
  return `${duration(elapsed)} of ${duration(length)}`
}

const hourMinutes = 60
