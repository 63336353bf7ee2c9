/** The lengths of runs, as a history or a recording has measured them. */

import { percentile } from '../../server/terminal/percentile.ts'
import type { Length, Scenario } from '../scenario/scenario.ts'

/** Returns a lognormal with the median and 95th percentile; null if nothing was measured. `cut`: they were cancelled. */
export function lengthOf(minutes: readonly number[], cut: readonly number[] = []): Length | null {
  const known = minutes.filter((each) => each > 0)
  if (known.length === 0) return null
  const [median = 0, p95 = 0] = [50, 95].map((each) => rounded(percentile(known, each, cut)))
  return median > 0 ? { median, p95: Math.max(median, p95) } : null
}

/** Rounds to a hundredth of a minute, which is exact enough for the length of a run. */
export function rounded(minutes: number): number {
  return Math.round(minutes * 100) / 100
}

export type TimedRun = { readonly outcome: string; readonly minutes: number | null }

/** Fewer runs of a verdict say nothing about their length. */
const fewestRuns = 30

export type FailingLength = {
  /** Of the median lengths. */
  readonly ratio: number
  readonly failed: number
  readonly passed: number
}

/**
 * Returns how long runs that failed took, compared with those that passed; null if too few are known. `cut` were cancelled,
 * and have the outcome that they would have had.
 */
export function failingLengthOf(
  runs: readonly TimedRun[],
  cut: readonly TimedRun[] = [],
): FailingLength | null {
  const [failed, passed] = [lengthsOf(runs, 'failed'), lengthsOf(runs, 'passed')]
  if (Math.min(failed.length, passed.length) < fewestRuns) return null
  const ofFailed = percentile(failed, 50, lengthsOf(cut, 'failed'))
  const ratio = rounded(ofFailed / percentile(passed, 50, lengthsOf(cut, 'passed')))
  return ratio === 0 ? null : { ratio, failed: failed.length, passed: passed.length }
}

/**
 * The lengths of runs that pass: of those that have failed as well, unless it is known how long these take. What
 * ended a run without a verdict says nothing about its length.
 */
export function passingLengths(
  runs: readonly TimedRun[],
  failing: FailingLength | null,
): readonly number[] {
  const passed = lengthsOf(runs, 'passed')
  return failing ? passed : [...passed, ...lengthsOf(runs, 'failed')]
}

/** How long one content takes if it passes: as its last run that did, else by its longest that failed; null if unknown. */
export function passingLengthOf(
  runs: readonly TimedRun[],
  failing: FailingLength | null,
): number | null {
  const last = lengthsOf(runs, 'passed').at(-1)
  if (last !== undefined) return rounded(last)
  const failed = lengthsOf(runs, 'failed')
  return failed.length === 0 ? null : rounded(Math.max(...failed) / (failing?.ratio ?? 1))
}

/** The suite of a scenario whose passing runs have these lengths; nothing of it if none is known. */
export function suiteOf(
  minutes: readonly number[],
  failing: FailingLength | null,
  cut: readonly number[] = [],
): Pick<Scenario, 'suite'> {
  const length = lengthOf(minutes, cut)
  if (length === null) return {}
  return { suite: { minutes: length, ...(failing ? { minutesFailing: failing.ratio } : {}) } }
}

function lengthsOf(runs: readonly TimedRun[], verdict: string): number[] {
  return runs.flatMap(({ outcome, minutes }) =>
    outcome === verdict && minutes !== null && minutes > 0 ? [minutes] : [],
  )
}
