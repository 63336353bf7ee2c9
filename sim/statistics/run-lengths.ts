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

export type TimedRun = { readonly outcome: string; readonly minutes: number | null }

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
  const [failed, passed] = [lengthsOf(runs, 'failed'), lengthsOf(runs, 'passed')]
  if (Math.min(failed.length, passed.length) < fewestRuns) return null
  const ratio = rounded(percentile(failed, 50) / percentile(passed, 50))
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
): Pick<Scenario, 'suite'> {
  const length = lengthOf(minutes)
  if (length === null) return {}
  return { suite: { minutes: length, ...(failing ? { minutesFailing: failing.ratio } : {}) } }
}

function lengthsOf(runs: readonly TimedRun[], verdict: string): number[] {
  return runs.flatMap(({ outcome, minutes }) =>
    outcome === verdict && minutes !== null && minutes > 0 ? [minutes] : [],
  )
}
