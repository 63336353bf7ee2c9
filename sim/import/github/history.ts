/** Pull requests as the records tell them: when they were submitted, what was tested, how they ended. */

import { isOfBot } from '../landings/bots.ts'
import { isRelease } from '../landings/releases.ts'
import { attemptsOf } from './attempts.ts'
import { contentsOf, type Content } from './contents.ts'
import type { GitHubRecords, Pull } from './records.ts'
import { signalsOf } from './signals.ts'
import { testedIn, type Tested } from './tested.ts'
import { TestsByPull } from './tests-by-pull.ts'

export type HistoryOptions = {
  /** Null: the default branch of the repository, else the branch that most pull requests are for. */
  readonly branch: string | null
  /** How many of the last pull requests. */
  readonly last: number
  readonly withReleases: boolean
  readonly withoutBots: boolean
  readonly queueLabel: string | null
}

export type GitHubHistory = {
  readonly branch: string
  readonly contents: readonly Content[]
  readonly tested: readonly Tested[]
  /** By number: the changed files, where they are known. */
  readonly records: GitHubRecords
  /** Pull requests that are not in the scenario. */
  readonly leftOut: {
    readonly otherBranch: number
    readonly releases: number
    readonly bots: number
    readonly neverSubmitted: number
    readonly open: number
  }
  readonly bots: number
}

/** Returns the last pull requests of the target branch. */
export function historyOf(records: GitHubRecords, options: HistoryOptions): GitHubHistory {
  const branch = options.branch ?? records.repository?.default_branch ?? mostUsed(records.pulls)
  const ours = records.pulls.filter(({ base }) => base.ref === branch)
  const releases = options.withReleases ? [] : ours.filter((pull) => isRelease(changeOf(pull)))
  const ofBots = ours.filter((pull) => !releases.includes(pull) && isBot(pull))
  const bots = options.withoutBots ? ofBots : []
  const kept = ours
    .filter((pull) => !releases.includes(pull) && !bots.includes(pull))
    .toSorted((a, b) => endOf(a) - endOf(b) || a.number - b.number)
    .slice(-options.last)
  const tested = testedIn(records)
  const found = new TestsByPull(tested, kept)
  const hasQueue = [...records.timelines.values()].some((items) =>
    items.some(({ event }) => event === 'added_to_merge_queue'),
  )
  const all = kept.map((pull) => {
    const timeline = records.timelines.get(pull.number) ?? []
    const signals = signalsOf(pull, timeline, options.queueLabel)
    const attempts = attemptsOf(pull, signals, found.factsOf(pull)).filter(
      // Before a merge queue, auto-merge only waits for the way into it.
      ({ kind, end }) => !(hasQueue && kind === 'auto-merge' && end !== 'merged'),
    )
    const judging = { tested: found.of(pull, signals), isTelling: found.isTelling }
    return contentsOf(pull, attempts, judging)
  })
  const contents = all.flat()
  return {
    branch,
    contents: contents.filter(({ outcome }) => outcome !== 'open'),
    tested,
    records,
    leftOut: {
      otherBranch: records.pulls.length - ours.length,
      releases: releases.length,
      bots: bots.length,
      neverSubmitted: all.filter((each) => each.length === 0).length,
      open: contents.filter(({ outcome }) => outcome === 'open').length,
    },
    bots: ofBots.length - bots.length,
  }
}

function changeOf({ number, title, user, head }: Pull) {
  return { number, title, author: user?.login ?? null, branch: head.ref }
}

function isBot(pull: Pull): boolean {
  return pull.user?.type === 'Bot' || isOfBot(changeOf(pull))
}

function endOf({ merged_at: mergedAt, closed_at: closedAt }: Pull): number {
  const at = mergedAt ?? closedAt
  return at === null ? Infinity : Date.parse(at)
}

function mostUsed(pulls: readonly Pull[]): string {
  const times = new Map<string, number>()
  for (const { base } of pulls) times.set(base.ref, (times.get(base.ref) ?? 0) + 1)
  return [...times].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'main'
}
