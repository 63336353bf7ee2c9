/** Pull requests as the records tell them: when they were submitted, what was tested, how they ended. */

import type { ClassifyOptions } from '../landings/classify.ts'
import { isOfBot, isRelease } from '../landings/rules.ts'
import { type Attempt, type QueueFacts, attemptsOf, type Signal, signalsOf } from './signals.ts'
import type { TimedRun } from '../../statistics/run-lengths.ts'
import type { Pull, GitHubRecords } from './records.ts'
import { type Round, type Place, type Tested, testedIn } from './tested.ts'

// The submissions of a pull request with the same commits. Each of them is a pull request of the scenario,
// because commits that failed do not get better.

export type Content = {
  readonly pull: Pull
  /** In order, at least one. */
  readonly attempts: readonly [Attempt, ...Attempt[]]
  readonly outcome: 'merged' | 'failed' | 'cancelled' | 'open'
  /** How many of its tests failed, before one of the same commits passed. */
  readonly flaked: number
  /** How many minutes after a failure the same commits were tested again. */
  readonly repeatedAfter: readonly number[]
  /** Its rounds with a result, oldest first. */
  readonly rounds: readonly Round[]
  /** Merged, although its last round failed. */
  readonly isMergedRed: boolean
  /** Where it was tested; null if it was not. */
  readonly place: Place | null
}

type Judging = {
  /** What was tested for a pull request, oldest first. */
  readonly tested: readonly Tested[]
  /** True if a failure of the test says something about this pull request. */
  readonly isTelling: (number: number, tested: Tested) => boolean
}

/** Returns the contents of a pull request in order. */
function contentsOf(pull: Pull, attempts: readonly Attempt[], judging: Judging): Content[] {
  const groups: [Attempt, ...Attempt[]][] = []
  let isNew = true
  for (const attempt of attempts) {
    const last = groups.at(-1)
    if (isNew || !last) groups.push([attempt])
    else last.push(attempt)
    isNew = attempt.isPushedAfter || attempt.end === 'pushed'
  }
  const ends = groups.map((group) => group.at(-1)?.endedAtMs ?? 0)
  return groups.flatMap((group, index) => {
    const isLast = index === groups.length - 1
    const toMs = isLast ? Infinity : (ends[index] ?? 0)
    const span = { fromMs: ends[index - 1] ?? 0, toMs, isLast }
    const tested = within(pull, judging.tested, span)
    const content = judged(pull, group, { ...judging, tested })
    // Commits that were replaced before a verdict were never really submitted.
    return group.at(-1)?.end === 'pushed' && content.outcome !== 'failed' ? [] : [content]
  })
}

type Span = { readonly fromMs: number; readonly toMs: number; readonly isLast: boolean }

/** The tests of these commits. */
function within(
  pull: Pull,
  tested: readonly Tested[],
  { fromMs, toMs, isLast }: Span,
): readonly Tested[] {
  const during = tested.filter(
    ({ rounds: [{ startedAtMs }] }) => startedAtMs >= fromMs && startedAtMs < toMs,
  )
  if (tested[0]?.place === 'queue') return during
  // Of the commits of a pull request only the last were submitted.
  const last = isLast ? tested.find(({ sha }) => sha === pull.head.sha) : during.at(-1)
  return last ? [last] : []
}

function judged(
  pull: Pull,
  attempts: [Attempt, ...Attempt[]],
  { tested, isTelling }: Judging,
): Content {
  const rounds = tested.flatMap((each) =>
    each.rounds.filter(({ outcome }) => outcome !== 'failed' || isTelling(pull.number, each)),
  )
  const verdicts = rounds.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
  const lastPassed = verdicts.findLastIndex(({ outcome }) => outcome === 'passed')
  const hasFailedLast = verdicts.at(-1)?.outcome === 'failed'
  const end = attempts.at(-1)?.end ?? 'open'
  const isMerged = end === 'merged'
  return {
    pull,
    attempts,
    outcome: outcomeOf(end, hasFailedLast),
    flaked: verdicts.slice(0, Math.max(0, lastPassed)).filter(({ outcome }) => outcome === 'failed')
      .length,
    repeatedAfter: gapsOf(verdicts.slice(0, lastPassed + 1)),
    rounds,
    isMergedRed: isMerged && hasFailedLast,
    place: tested[0]?.place ?? null,
  }
}

/** A test that began before the other had failed did not come after it. */
function gapsOf(verdicts: readonly Round[]): number[] {
  return verdicts.flatMap(({ outcome, endedAtMs }, index) => {
    const next = verdicts[index + 1]
    if (outcome !== 'failed' || !next || next.startedAtMs < endedAtMs) return []
    return [(next.startedAtMs - endedAtMs) / 60_000]
  })
}

function outcomeOf(end: Attempt['end'], hasFailed: boolean): Content['outcome'] {
  if (end === 'merged') return 'merged'
  if (hasFailed) return 'failed'
  return end === 'open' ? 'open' : 'cancelled'
}

export function timed({ outcome, startedAtMs, endedAtMs }: Round): TimedRun {
  return { outcome, minutes: (endedAtMs - startedAtMs) / 60_000 }
}

export type HistoryOptions = ClassifyOptions & {
  /** Null: the default branch of the repository, else the branch that most pull requests are for. */
  readonly branch: string | null
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

// The tests of each pull request.

class TestsByPull {
  readonly #byNumber = new Map<number, Tested[]>()
  readonly #byHead = new Map<string, Tested>()
  readonly #byBranch = new Map<string, Tested[]>()
  readonly #failed = new Set<string>()
  /** The batches of which a test has passed, by their members. */
  readonly #passed = new Set<string>()
  /** Branches of several pull requests, such as those of forks. */
  readonly #shared: ReadonlySet<string>

  constructor(tested: readonly Tested[], pulls: readonly Pull[]) {
    const branches = pulls.map(({ head }) => head.ref)
    this.#shared = new Set(branches.filter((name, index) => branches.indexOf(name) < index))
    for (const each of tested) {
      if (each.place === 'queue') {
        for (const number of each.numbers) added(this.#byNumber, number, each)
        const hasPassed = each.rounds.some(({ outcome }) => outcome === 'passed')
        if (hasPassed) this.#passed.add(each.numbers.join())
        else this.#failed.add(each.sha)
      }
      if (each.place !== 'head') continue
      this.#byHead.set(each.sha, each)
      if (each.branch !== null) added(this.#byBranch, each.branch, each)
    }
  }

  /**
   * True if a failure says something about a pull request. It says nothing if what is below it failed as
   * well, or if it is one of a batch: then the batch is split. A batch that is not split but passes later has
   * flaked, which is told of its first member.
   */
  readonly isTelling = (number: number, { base, numbers }: Tested): boolean => {
    if (base !== null && this.#failed.has(base)) return false
    return numbers.length < 2 || (numbers[0] === number && this.#passed.has(numbers.join()))
  }

  factsOf({ number }: Pull): QueueFacts {
    const mine = this.#byNumber.get(number) ?? []
    return {
      firstTestMs: mine[0]?.rounds[0].startedAtMs ?? null,
      lastTestMs: mine.at(-1)?.rounds[0].startedAtMs ?? null,
      hasFailed: (fromMs, toMs) =>
        mine.some(
          ({ rounds }) =>
            rounds.at(-1)?.outcome === 'failed' &&
            rounds[0].startedAtMs >= fromMs &&
            rounds[0].startedAtMs < toMs,
        ),
    }
  }

  /** The tests of the queue, or of its own commits where no queue tested it. */
  of(pull: Pull, signals: readonly Signal[]): readonly Tested[] {
    const ofQueue = this.#byNumber.get(pull.number)
    if (ofQueue) return ofQueue
    const shas = signals.flatMap((signal) => (signal.is === 'push' ? (signal.sha ?? []) : []))
    const own = [...shas, pull.head.sha].flatMap((sha) => this.#byHead.get(sha) ?? [])
    const isOwn = this.#shared.has(pull.head.ref) ? [] : (this.#byBranch.get(pull.head.ref) ?? [])
    return [...new Set([...own, ...isOwn])].toSorted(
      (a, b) => a.rounds[0].startedAtMs - b.rounds[0].startedAtMs,
    )
  }
}

function added<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}
