/** Contents as pull requests and events of a scenario, with the instants at which they happen. */

import type { ImpactedTargets } from '../../../engine/index.ts'
import { numberingOf, type PullRequestEntry } from '../../scenario/scenario.ts'
import { targetsOf } from '../landed.ts'
import { type FailingLength, passingLengthOf } from '../../statistics/run-lengths.ts'
import type { Attempt } from './signals.ts'
import { type Content, type GitHubHistory, timed } from './history.ts'
import { type Clashing, clashingOf } from '../clashes.ts'
import type { Tested } from './tested.ts'

type Timed<Item> = Item & { readonly atMs: number }

type TimedEvent = Timed<{
  readonly do: 'submit' | 'cancel' | 'close' | 'push'
  readonly number: number
}>

export type TimedStream = {
  /** In order of their submissions. */
  readonly entries: readonly Timed<{
    readonly entry: PullRequestEntry
    readonly content: Content
  }>[]
  readonly events: readonly TimedEvent[]
}

export function streamOf(
  history: GitHubHistory,
  clashing: Clashing | null,
  failing: FailingLength | null,
): TimedStream {
  const { contents, tested } = history
  const numberOf = numberingOf(contents.map(({ pull }) => pull.number))
  const times = new Map<number, number>()
  const broke = brokeTarget(tested)
  const all = contents.map((content) => {
    const { pull, outcome, flaked } = content
    const minutes = passingLengthOf(content.rounds.map(timed), failing)
    const time = times.get(pull.number) ?? 0
    times.set(pull.number, time + 1)
    const number = numberOf(pull.number, time)
    // A queue would have seen on the branch what nobody tested before the merge.
    const isBreaking =
      content.place !== 'queue' &&
      outcome === 'merged' &&
      broke.get(pull.merge_commit_sha ?? '') === true &&
      clashing?.clashed.has(pull.number) !== true
    const targets = changedTargets(history, pull.number)
    const entry: PullRequestEntry = {
      number,
      ...(time === 0 ? {} : { origin: `${pull.number}, submitted again with other commits` }),
      ...(outcome === 'failed' || isBreaking ? { breaks: true } : {}),
      ...(flaked > 0 && outcome !== 'failed' ? { flakyRuns: firstRuns(flaked) } : {}),
      ...(minutes === null ? {} : { testMinutes: minutes }),
      ...(targets === null ? {} : { targets }),
    }
    return { atMs: content.attempts[0].atMs, entry, content }
  })
  return {
    entries: all.toSorted((a, b) => a.atMs - b.atMs || a.entry.number - b.entry.number),
    events: all
      .flatMap(({ entry, content }) => eventsOf(content, entry.number))
      .toSorted((a, b) => a.atMs - b.atMs || a.number - b.number),
  }
}

const firstRuns = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index + 1)

/** What people did while it was in the queue, and that they submitted the same commits again. */
function eventsOf(content: Content, number: number): TimedEvent[] {
  return content.attempts.flatMap((attempt, index, { length }): TimedEvent[] => {
    const next = content.attempts[index + 1]
    const leaves = leavesBy(attempt, content, index === length - 1)
    const isRepeated = leaves !== null || content.outcome === 'failed'
    return [
      ...(leaves === null ? [] : [{ do: leaves, atMs: attempt.endedAtMs, number }]),
      ...(next && isRepeated ? [{ do: 'submit' as const, atMs: next.atMs, number }] : []),
    ]
  })
}

/** How people took it out; null if the queue did, which finds the reason in the scenario by itself. */
function leavesBy(
  { end, isByPerson, isPushedAfter }: Attempt,
  { outcome, flaked }: Content,
  isLast: boolean,
): 'cancel' | 'close' | 'push' | null {
  if (end === 'merged' || end === 'open' || end === 'submitted again') return null
  if (outcome === 'failed' && (isLast || !isByPerson)) return null
  if (outcome === 'merged' && flaked > 0 && !isByPerson) return null
  if (end === 'closed') return 'close'
  return end === 'pushed' || (isLast && isPushedAfter) ? 'push' : 'cancel'
}

function changedTargets({ records }: GitHubHistory, number: number): ImpactedTargets | null {
  const files = records.files.get(number)
  return files ? targetsOf(files.map(({ filename }) => filename)) : null
}

// The merges of a history from GitHub that passed by themselves, and whether the branch broke.

/** The merges after which the branch was tested, where it had passed before: whether it broke. */
function brokeTarget(tested: readonly Tested[]): ReadonlyMap<string, boolean> {
  const broke = new Map<string, boolean>()
  let before: string | null = null
  for (const { sha, place, rounds } of tested) {
    const outcome = rounds.at(-1)?.outcome ?? 'cancelled'
    if (place !== 'target' || outcome === 'cancelled' || outcome === 'errored') continue
    if (before === 'passed') broke.set(sha, outcome === 'failed')
    before = outcome
  }
  return broke
}

/** Rule: S-276. */
export function clashingIn({ branch, contents, records, tested }: GitHubHistory): Clashing | null {
  const broke = brokeTarget(tested)
  const landings = records.pulls.flatMap(({ base, merged_at: at }) =>
    base.ref === branch && at !== null ? [Date.parse(at)] : [],
  )
  const merges = contents.flatMap((content) => {
    const fromMs = ownRunOf(content)
    const { number, merge_commit_sha: sha, merged_at: at } = content.pull
    const isBreaking = broke.get(sha ?? '')
    if (fromMs === null || isBreaking === undefined) return []
    const submittedAtMs = content.attempts[0].atMs
    return { number, fromMs, submittedAtMs, landedAtMs: Date.parse(at ?? ''), isBreaking }
  })
  return clashingOf(merges, landings)
}

/** When the last run of its own commits began, if it passed; a queue that tested it is another matter. */
function ownRunOf({ place, outcome, rounds, isMergedRed }: Content): number | null {
  if (place !== 'head' || outcome !== 'merged' || isMergedRed) return null
  return rounds.findLast((round) => round.outcome === 'passed')?.startedAtMs ?? null
}
