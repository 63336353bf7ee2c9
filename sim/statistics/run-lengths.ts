/** The lengths of runs, as a history or a recording has measured them. */

import { percentile } from '../../server/terminal/percentile.ts'
import type { Length, Scenario } from '../scenario/scenario.ts'

/** Returns a lognormal with the median and 95th percentile; null if nothing was measured. */
export function lengthOf(minutes: readonly number[]): Length | null {
  const known = minutes.filter((each) => each > 0)
  if (known.length === 0) return null
  const median = rounded(percentile(known, 50))
  const p95 = rounded(percentile(known, 95))
  return median > 0 ? { median, p95: Math.max(median, p95) } : null
}

/** Rounds to a hundredth of a minute, which is exact enough for the length of a run. */
export function rounded(minutes: number): number {
  return Math.round(minutes * 100) / 100
}

type TimedRun = { readonly outcome: string; readonly minutes: number | null }

/** Fewer runs of a verdict say nothing about their length. */
const fewestRuns = 30

export type FailingLength = {
  /** Of the median lengths. */
  readonly ratio: number
  readonly failed: number
  readonly passed: number
}

/** Returns how long runs that failed took, compared with those that passed; null if too few are known. */
export function failingLengthOf(runs: readonly TimedRun[]): FailingLength | null {
  const [failed, passed] = [lengthsIn(runs, 'failed'), lengthsIn(runs, 'passed')]
  if (Math.min(failed.length, passed.length) < fewestRuns) return null
  const ratio = rounded(percentile(failed, 50) / percentile(passed, 50))
  return ratio === 0 ? null : { ratio, failed: failed.length, passed: passed.length }
}

type SuiteFacts = {
  /** Of all runs. */
  readonly minutes: readonly number[]
  readonly runs: readonly TimedRun[] | null
  readonly failing: FailingLength | null
}

/** The lengths of runs: of those that pass, where it is known how long the others take. */
export function suiteOf({ minutes, runs, failing }: SuiteFacts): Pick<Scenario, 'suite'> {
  const length = lengthOf(failing && runs ? lengthsIn(runs, 'passed') : minutes)
  if (length === null) return {}
  return { suite: { minutes: length, ...(failing ? { minutesFailing: failing.ratio } : {}) } }
}

function lengthsIn(runs: readonly TimedRun[], verdict: string): number[] {
  return runs.flatMap(({ outcome, minutes }) =>
    outcome === verdict && minutes !== null && minutes > 0 ? [minutes] : [],
  )
}
