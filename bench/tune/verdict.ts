/**
 * What to set, if that can be told. No winner is named where intervals overlap: what cannot be
 * told apart is called a tie, and where today's setting is in it, the advice is to keep it.
 */

import {
  differenceOf,
  intervalOf,
  jointConfidence,
  readingOf,
  type Difference,
} from '../statistics/interval.ts'
import { columnOf } from './dominance.ts'
import type { TuneFigures } from './figures.ts'
import type { Runner } from './race.ts'

/** What matters more: time in the queue, CI minutes, or both alike. */
export type Preference = 'balance' | 'time' | 'cost'

export const preferences = {
  balance: 'p95 time in queue times CI minutes: half the wait is worth twice the bill',
  time: 'p95 time in queue',
  cost: 'CI minutes per merge',
} as const satisfies Record<Preference, string>

type Rival = {
  readonly runner: Runner
  /** How much more its score is than the best one's, in percent, all rivals' intervals together. */
  readonly behindPercent: Difference
}

export type Verdict = {
  readonly kind: 'winner' | 'tie' | 'keep'
  /** What to set: the winner; of a tie the one that changes least; to keep, today's. */
  readonly choice: Runner
  /** The least score, though it may not be told from the others. */
  readonly best: Runner
  /** Those that cannot be told from the best, the best left out. */
  readonly rivals: readonly Rival[]
  /** Left out, because they surely leave main broken for longer than today. */
  readonly unsafe: readonly Runner[]
}

/** Judges those that are still in the race; today's is always one of them. */
export function verdictOf(alive: readonly Runner[], preference: Preference): Verdict {
  const today = alive.find(({ candidate }) => candidate.isToday)
  if (!today) throw new Error("today's setting is not in the race")
  const unsafe = alive.filter((runner) => breaksLonger(runner, today))
  const pool = alive.filter((runner) => !unsafe.includes(runner))
  const scored = pool.map((runner) => ({ runner, scores: scoresOf(runner, preference) }))
  const best = scored.reduce((least, each) =>
    meanScore(each.scores) < meanScore(least.scores) ? each : least,
  )
  const confidence = jointConfidence(pool.length - 1)
  const rivals = scored.flatMap(({ runner, scores }): Rival[] => {
    const behind = differenceOf(scores, best.scores, confidence)
    if (runner === best.runner || !behind || readingOf(behind) === 'more') return []
    return [{ runner, behindPercent: inPercent(behind) }]
  })
  const tied = [best.runner, ...rivals.map(({ runner }) => runner)]
  const found = { best: best.runner, rivals, unsafe }
  if (tied.includes(today)) return { kind: 'keep', choice: today, ...found }
  if (rivals.length === 0) return { kind: 'winner', choice: best.runner, ...found }
  return { kind: 'tie', choice: leastChange(tied, today), ...found }
}

function breaksLonger(runner: Runner, today: Runner): boolean {
  const more = differenceOf(columnOf(runner, 'broken'), columnOf(today, 'broken'))
  return more !== null && readingOf(more) === 'more'
}

/**
 * One number per seed, less being better: the logarithm of what is preferred, so that shares count
 * and not minutes. An evicted healthy pull request comes again, so both grow by its share.
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

/** Below a second nobody minds, and nothing has no logarithm. */
const leastMinutes = 1 / 60

function logOf(minutes: number | null, { sentRound }: TuneFigures): number | null {
  return minutes === null ? null : Math.log(Math.max(minutes, leastMinutes) * (1 + sentRound))
}

function meanScore(scores: readonly (number | null)[]): number {
  const known = scores.filter((score) => score !== null)
  return known.length < scores.length || known.length === 0 ? Infinity : intervalOf(known).mean
}

function inPercent({ mean, low, high, pairs }: Difference): Difference {
  const percent = (log: number): number => 100 * Math.expm1(log)
  return { mean: percent(mean), low: percent(low), high: percent(high), pairs }
}

/** Of those that cannot be told apart, the one for which fewest fields change; then the first. */
function leastChange(tied: readonly Runner[], today: Runner): Runner {
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
