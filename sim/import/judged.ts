/** Pull requests judged by their test runs. */

import type { CiRun } from './ci-runs.ts'
import { rounded } from './lengths.ts'

export type Judged = {
  readonly breaks: boolean
  readonly flaked: boolean
  /** The longest of its runs; null if none is known. */
  readonly minutes: number | null
}

/** Judges a pull request by its runs, oldest first: the last verdict counts. */
export function judgedBy(runs: readonly CiRun[]): Judged {
  const verdicts = runs.filter(({ outcome }) => outcome !== 'errored')
  const breaks = verdicts.at(-1)?.outcome === 'failed'
  const flaked = !breaks && verdicts.some(({ outcome }) => outcome === 'failed')
  const known = runs.flatMap(({ minutes }) => minutes ?? [])
  return { breaks, flaked, minutes: known.length === 0 ? null : rounded(Math.max(...known)) }
}

/** Whether the commit of a run, which may be shortened, is the commit with this hash. */
export function isCommit(commit: string | null, hash: string): boolean {
  return commit !== null && commit.length >= 7 && hash.startsWith(commit)
}

export const namesCommits = (runs: readonly CiRun[]): boolean =>
  runs.some(({ commit }) => commit !== null)

/** The share of runs that errored, rounded to a ten-thousandth. */
export function erroredShare(runs: readonly CiRun[]): number {
  const errored = runs.filter(({ outcome }) => outcome === 'errored').length
  return runs.length === 0 ? 0 : Math.round((1e4 * errored) / runs.length) / 1e4
}
