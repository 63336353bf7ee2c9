/** What is read of GitHub's answers. The field names are GitHub's own; other fields are ignored. */

import type { Items } from './schemas.ts'

export type Repository = Items['repository']
/** A rule that is active for the target branch. */
export type Rule = Items['rule']
export type Pull = Items['pull']
export type User = Pull['user']
/** An event of a pull request's timeline. Which fields it has depends on `event`. */
export type TimelineItem = Items['timelineItem']
export type WorkflowRun = Items['workflowRun']
export type CheckRun = Items['checkRun']
export type CommitStatus = Items['commitStatus']

/** A history as it was downloaded. */
export type GitHubRecords = {
  readonly repository: Repository | null
  /** Null if they are not in the folder. */
  readonly rules: readonly Rule[] | null
  readonly pulls: readonly Pull[]
  /** By number. */
  readonly timelines: ReadonlyMap<number, readonly TimelineItem[]>
  /** By number: the changed files. */
  readonly files: ReadonlyMap<number, readonly Items['changedFile'][]>
  /** Each attempt of a run is one of its own. */
  readonly runs: readonly WorkflowRun[]
  readonly checks: readonly CheckRun[]
  /** By commit, oldest first. */
  readonly statuses: ReadonlyMap<string, readonly CommitStatus[]>
}
