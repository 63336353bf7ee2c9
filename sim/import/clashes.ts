/** How often the branch broke although the pull request passed by itself (S-276). */

import type { Scenario } from '../scenario/scenario.ts'
import { type CiRun, isCommit } from './ci-runs.ts'
import { groupedBy } from './landings/grouped.ts'
import { lengthOf } from '../statistics/run-lengths.ts'
import type { LandedHistory } from './sources.ts'

/** What merges show that passed by themselves and were followed by a test of the branch. */
export type Clashing = {
  readonly merges: number
  /** Of these with those that landed between the own run and the merge. */
  readonly pairs: number
  /** The pull requests that broke the branch. */
  readonly clashed: ReadonlySet<number>
  /** How old the state was that its own run tested, when it was submitted, in minutes. */
  readonly baseAges: readonly number[]
}

/** A merge that passed by itself, and after which the branch was tested, which had passed before. */
export type TestedMerge = {
  readonly number: number
  /** When its own run began. */
  readonly fromMs: number
  readonly submittedAtMs: number
  readonly landedAtMs: number
  readonly isBreaking: boolean
}

/** Fewer merges say nothing. */
const fewestMerges = 30

/**
 * A pull request that passed by itself and broke the branch clashed with one that landed since its own run
 * began. If none did, it is no clash. Null if too few merges are known.
 */
export function clashingOf(
  tested: readonly TestedMerge[],
  landings: readonly number[],
): Clashing | null {
  if (tested.length < fewestMerges) return null
  const merges = tested.map(({ number, fromMs, submittedAtMs, landedAtMs, isBreaking }) => {
    const beside = landings.filter((each) => each > fromMs && each < landedAtMs).length
    const baseAge = Math.max(0, submittedAtMs - fromMs) / 60_000
    return { number, beside, baseAge, isClash: isBreaking && beside > 0 }
  })
  return {
    merges: merges.length,
    pairs: merges.reduce((sum, { beside }) => sum + beside, 0),
    clashed: new Set(merges.flatMap(({ number, isClash }) => (isClash ? number : []))),
    baseAges: merges.map(({ baseAge }) => baseAge),
  }
}

/** To a hundred-thousandth. */
export const clashRateOf = ({ clashed, pairs }: Clashing): number =>
  Math.round((1e5 * clashed.size) / Math.max(1, pairs)) / 1e5

/** The same rate for all pairs, because all were counted. */
export function trafficOf(
  clashing: Clashing | null,
  { hasTargets, busier }: { readonly hasTargets: boolean; readonly busier: number },
): Pick<Scenario, 'traffic'> {
  if (!clashing || clashing.clashed.size === 0) return {}
  const rate = clashRateOf(clashing)
  const baseAge = lengthOf(clashing.baseAges.map((age) => age / busier))
  const clashRate = hasTargets ? { rate, across: rate } : rate
  return { traffic: { count: 0, clashRate, ...(baseAge === null ? {} : { baseAge }) } }
}

// In a log: the commits of a merge are its own last one, and the one of the branch before it.

/** The clashes among the merges of a log of which the runs name these commits. */
export function clashingInLog({ landed }: LandedHistory, runs: readonly CiRun[]): Clashing | null {
  const verdictOf = lastVerdicts(runs)
  const tested = landed.flatMap(({ number, landing }) => {
    const { commits, atMs, together } = landing
    const [target, head] = commits[0].parents
    if (target === undefined || head === undefined || together > 1) return []
    const [own, before, after] = [head, target, commits[0].hash].map(verdictOf)
    if (own?.outcome !== 'passed' || before?.outcome !== 'passed' || !after) return []
    const isBreaking = after.outcome === 'failed'
    return { number, fromMs: own.startedAtMs, submittedAtMs: atMs, landedAtMs: atMs, isBreaking }
  })
  return clashingOf(
    tested,
    landed.map(({ landing }) => landing.atMs),
  )
}

const shortHash = 7

/** Returns the last run of a commit that passed or failed. */
export function lastVerdicts(runs: readonly CiRun[]): (hash: string) => CiRun | undefined {
  const verdicts = runs.filter(({ outcome }) => outcome !== 'errored')
  const byCommit = groupedBy(verdicts, ({ commit }) => commit?.slice(0, shortHash))
  return (hash) =>
    byCommit.get(hash.slice(0, shortHash))?.findLast(({ commit }) => isCommit(commit, hash))
}
