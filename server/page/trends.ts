/** The trends of a queue by hour, and its flaky tests. Read from the history at each request. */

import type { TestCases } from '../history/test-cases.ts'
import { ascending, quantile } from '../forecast/draws.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { TrendHour, Trends } from './frame.ts'
import { concluded } from './picture.ts'
import { type Audience, views } from './view.ts'

const hourMs = 3_600_000
const msPerMinute = 60_000
export const mostHours = 168

const emptyHour = () => ({
  merged: 0,
  failed: 0,
  runsPassed: 0,
  runsFailed: 0,
  healthyEvicted: 0,
  minutes: Array<number>(),
})

type Hour = ReturnType<typeof emptyHour>

export type TrendsAsked = {
  readonly hours: number
  readonly now: number
  readonly audience: Audience
  readonly testCases: TestCases
}

export function trendsOf(
  queue: ManagedQueue,
  { hours, now, audience, testCases }: TrendsAsked,
): Trends {
  const end = (Math.floor(now / hourMs) + 1) * hourMs
  const begin = end - hours * hourMs
  const counted = Array.from({ length: hours }, emptyHour)
  const hourAt = (at: number): Hour | undefined =>
    at >= begin && at < end ? counted[Math.floor((at - begin) / hourMs)] : undefined
  countEnded(queue, begin, hourAt)
  countRuns(queue, begin, hourAt)
  return {
    hours: counted.map((hour, index) => hourRow(begin + index * hourMs, hour)),
    flakyTests: views[audience].flakyTests(queue, testCases),
    quarantine: views[audience].quarantine(queue, now),
  }
}

type HourAt = (at: number) => Hour | undefined

/** Newest first, until they are older than what is asked. */
function countEnded(queue: ManagedQueue, begin: number, hourAt: HourAt): void {
  for (const pullRequest of concluded(queue)) {
    const { number, state, stateChangedAt, submittedAt } = pullRequest
    if (stateChangedAt < begin) return
    const hour = hourAt(stateChangedAt)
    if (!hour) continue
    if (state === 'FAILED') hour.failed++
    if (state !== 'MERGED') continue
    hour.merged++
    hour.minutes.push((stateChangedAt - submittedAt) / msPerMinute)
    const { sha, failedCommit } = queue.history.pullRequests.get(number) ?? {}
    if (failedCommit !== undefined && failedCommit === sha) hour.healthyEvicted++
  }
}

/** Runs count by their start: the newest have the highest numbers. */
function countRuns({ engine, history }: ManagedQueue, begin: number, hourAt: HourAt): void {
  for (let run = engine.queue.last.testRun; run > 0; run--) {
    const past = history.testRuns.get(run)
    if (!past || past.startedAt < begin) return
    const hour = hourAt(past.startedAt)
    if (hour && past.outcome === 'passed') hour.runsPassed++
    if (hour && (past.outcome === 'failed' || past.outcome === 'timed_out')) hour.runsFailed++
  }
}

function hourRow(from: number, { minutes, ...hour }: Hour): TrendHour {
  const sorted = ascending(minutes)
  const at = (share: number): number | null =>
    sorted.length === 0 ? null : Math.round(quantile(sorted, share) * 10) / 10
  return {
    from: new Date(from).toISOString(),
    ...hour,
    medianMinutes: at(0.5),
    p95Minutes: at(0.95),
  }
}
