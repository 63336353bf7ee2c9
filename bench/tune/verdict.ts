/**
 * Decides which setting to recommend. Settings that do not differ significantly from the best are a
 * tie. If the current setting is in the tie, the advice is to keep it.
 */

import { differenceOf, jointConfidence, readingOf } from '../statistics/difference.ts'
import type { Interval } from '../statistics/interval.ts'
import { meanOf } from '../statistics/mean.ts'
import { mapped } from '../statistics/ratio.ts'
import { columnOf } from './dominance.ts'
import type { TuneFigures } from './figures.ts'
import type { Runner } from './race.ts'

/** What matters more: time in queue, CI minutes, or both equally. */
export type Preference = 'balance' | 'time' | 'cost'

export const preferences = {
  balance: 'p95 time in queue times CI minutes: half the wait is worth twice the cost',
  time: 'p95 time in queue',
  cost: 'CI minutes per merge',
} as const satisfies Record<Preference, string>

type Rival = {
  readonly runner: Runner
  /** How much its score exceeds the best, in percent. The intervals of all rivals hold together. */
  readonly behindPercent: Interval
}

export type TuneVerdict = {
  readonly kind: 'winner' | 'tie' | 'keep'
  /** The recommended setting: the winner, the smallest change in a tie, or the current setting. */
  readonly choice: Runner
  /** The setting with the lowest mean score. */
  readonly best: Runner
  /** The settings that do not differ significantly from the best, without the best. */
  readonly rivals: readonly Rival[]
  /** Settings with which main is broken for significantly longer than today. Not recommended. */
  readonly unsafe: readonly Runner[]
}

/** Judges the remaining settings of a race. Throws if the current setting is not one of them. */
export function verdictOf(remaining: readonly Runner[], preference: Preference): TuneVerdict {
  const today = remaining.find(({ candidate }) => candidate.isToday)
  if (!today) throw new Error("today's setting is not in the race")
  const unsafe = remaining.filter((runner) => breaksLonger(runner, today))
  const safe = remaining.filter((runner) => !unsafe.includes(runner))
  const scored = safe.map((runner) => ({ runner, scores: scoresOf(runner, preference) }))
  const best = scored.reduce((least, each) =>
    meanScore(each.scores) < meanScore(least.scores) ? each : least,
  )
  const confidence = jointConfidence(safe.length - 1)
  const rivals = scored.flatMap(({ runner, scores }): Rival[] => {
    const behind = differenceOf(scores, best.scores, confidence)
    if (runner === best.runner || !behind || readingOf(behind) === 'more') return []
    return [{ runner, behindPercent: mapped(behind, inPercent) }]
  })
  const tied = [best.runner, ...rivals.map(({ runner }) => runner)]
  const found = { best: best.runner, rivals, unsafe }
  if (tied.includes(today)) return { kind: 'keep', choice: today, ...found }
  if (rivals.length === 0) return { kind: 'winner', choice: best.runner, ...found }
  return { kind: 'tie', choice: smallestChange(tied, today), ...found }
}

function breaksLonger(runner: Runner, today: Runner): boolean {
  const more = differenceOf(columnOf(runner, 'broken'), columnOf(today, 'broken'))
  return more !== null && readingOf(more) === 'more'
}

/**
 * Returns one score per seed; less is better. The score is the logarithm of the preferred figures,
 * so that relative differences count and not minutes. An evicted healthy pull request is submitted
 * again, so both figures grow by the share of such evictions.
 */
function scoresOf({ runs }: Runner, preference: Preference): (number | null)[] {
  return runs.map((run) => {
    const parts = [
      ...(preference === 'cost' ? [] : [logOf(run.p95, run)]),
      ...(preference === 'time' ? [] : [logOf(run.ciMinutes, run)]),
    ]
    return parts.reduce<number | null>(
      (sum, part) => (sum === null || part === null ? null : sum + part),
      0,
    )
  })
}

/**
 * Times below a second count as one second: shorter times do not matter, and 0 has no logarithm.
 */
const leastMinutes = 1 / 60

function logOf(minutes: number | null, { resubmissionsPerMerge }: TuneFigures): number | null {
  return minutes === null
    ? null
    : Math.log(Math.max(minutes, leastMinutes) * (1 + resubmissionsPerMerge))
}

function meanScore(scores: readonly (number | null)[]): number {
  const known = scores.filter((score) => score !== null)
  return known.length < scores.length || known.length === 0 ? Infinity : meanOf(known)
}

const inPercent = (log: number): number => 100 * Math.expm1(log)

/** Returns the setting of a tie that changes the fewest fields; the first of several. */
function smallestChange(tied: readonly Runner[], today: Runner): Runner {
  const [first] = tied.toSorted((a, b) => changes(a, today) - changes(b, today))
  return first ?? today
}

function changes({ candidate }: Runner, today: Runner): number {
  const [then, now] = [candidate.scenario, today.candidate.scenario]
  return [...new Set([...Object.keys(then.queue ?? {}), ...Object.keys(now.queue ?? {})])].filter(
    (field) => valueOf(then.queue, field) !== valueOf(now.queue, field),
  ).length
}

function valueOf(queue: object | undefined, field: string): string {
  const found = Object.entries(queue ?? {}).find(([name]) => name === field)
  return JSON.stringify(found?.[1] ?? null)
}
