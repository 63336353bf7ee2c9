/** The trends of a queue by hour, and its flaky tests. Read from the history at each request. */

import type { TestCases } from '../history/test-cases.ts'
import { samplesOf } from '../history/counts.ts'
import { lastStepAt, stepsOf } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { percentile } from '../terminal/percentile.ts'
import type { TrendHour, Trends } from './frame.ts'
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

/** Counts every time that one left, also if it came again, as the metrics do. */
function countEnded({ history }: ManagedQueue, begin: number, hourAt: HourAt): void {
  for (const { timeline, sha, failedCommit } of history.pullRequests.values()) {
    if (lastStepAt(timeline) < begin) continue
    for (const sample of samplesOf(stepsOf(timeline))) {
      const hour = hourAt(sample.at)
      if (!hour) continue
      if (sample.what === 'conclusion' && sample.conclusion === 'FAILED') hour.failed++
      if (sample.what !== 'time in queue') continue
      hour.merged++
      hour.minutes.push(sample.ms / msPerMinute)
      const isLast = sample.at === lastStepAt(timeline)
      if (isLast && failedCommit !== undefined && failedCommit === sha) hour.healthyEvicted++
    }
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
  const at = (percent: number): number | null =>
    minutes.length === 0 ? null : Math.round(percentile(minutes, percent) * 10) / 10
  return {
    from: new Date(from).toISOString(),
    ...hour,
    medianMinutes: at(50),
    p95Minutes: at(95),
  }
}
