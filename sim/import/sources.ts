/** What an import reads, and what it makes of each source. */

import type { Assumption, PullRequestEntry } from '../scenario/scenario.ts'
import type { CiRun } from './ci-runs.ts'
import type { ChangedFiles } from './changed-files.ts'
import type { JUnitRun } from './junit.ts'
import type { LandedPullRequest } from './landed.ts'
import type { Classified } from './landings/classify.ts'

/** A branch of a repository. */
export type LandedHistory = {
  readonly branch: string
  readonly landed: readonly LandedPullRequest[]
  readonly classified: Classified
  readonly sizesIn: ChangedFiles['countedIn']
  /** Of some merges, in minutes: how old the commit was from which they branched off. */
  readonly baseAges: readonly number[]
}

export type ImportSources = {
  readonly name: string
  readonly log: LandedHistory | null
  readonly runs: readonly CiRun[] | null
  /** With those that are not imported, from which ratios are measured. Those imported if left out. */
  readonly allRuns?: readonly CiRun[] | null
  readonly junit: readonly JUnitRun[] | null
  /** Divides all times, as if this many such teams shared the queue. */
  readonly busier: number
  /** The assumed minutes of a run for the median change, where none was measured. */
  readonly minutes: number
}

/** A history as pull requests. */
export type Entries = {
  /** In order of their times. */
  readonly entries: readonly PullRequestEntry[]
  readonly times: readonly number[]
  readonly assumed: readonly Assumption[]
  /** Every measured length. */
  readonly minutes: readonly number[]
  /** How many flaked; null if the sources cannot tell. */
  readonly flaked: number | null
}

export const lengthsOf = (junit: readonly JUnitRun[] | null): number[] =>
  (junit ?? []).map(({ minutes }) => minutes)
