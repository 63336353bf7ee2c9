/** Every commit that was tested, where, and with what result. */

import { groupedBy } from '../landings/grouped.ts'
import type { CheckRun, CommitStatus, WorkflowRun, GitHubRecords } from './records.ts'

// One result of one workflow, check or status context.

type Outcome = 'passed' | 'failed' | 'errored' | 'cancelled'

type Result = {
  /** Results of one name are attempts of the same check. */
  readonly name: string
  readonly outcome: Outcome
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** What GitHub concludes; what is missing here says nothing about the commit. */
const outcomes: Readonly<Record<string, Outcome>> = {
  success: 'passed',
  failure: 'failed',
  error: 'failed',
  timed_out: 'errored',
  startup_failure: 'errored',
  stale: 'errored',
  cancelled: 'cancelled',
}

/** The events whose runs test the commit of a pull request, of a queue, or of the branch. */
const testingEvents = new Set(['merge_group', 'pull_request', 'push'])

/** Null if the run tests no commit, or has no result. */
function resultOfRun(run: WorkflowRun): Result | null {
  if (!testingEvents.has(run.event)) return null
  // A push and a pull request may start the same workflow, and neither is an attempt of the other.
  const name = `${run.event} ${run.name ?? ''}`
  return resultOf(name, run.conclusion, [run.run_started_at ?? run.created_at, run.updated_at])
}

/** Null without a result. */
function resultOfCheck(check: CheckRun): Result | null {
  return resultOf(`check ${check.name}`, check.conclusion, [check.started_at, check.completed_at])
}

function resultOf(
  name: string,
  conclusion: string | null,
  [started, ended]: readonly [string | null, string | null],
): Result | null {
  const outcome = outcomes[conclusion ?? '']
  if (!outcome || started === null || ended === null) return null
  const startedAtMs = Date.parse(started)
  return { name, outcome, startedAtMs, endedAtMs: Math.max(startedAtMs, Date.parse(ended)) }
}

/** A context is pending, and then has a result; each result is one attempt. */
function resultsOfStatuses(statuses: readonly CommitStatus[]): Result[] {
  const sorted = statuses.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
  const pendingSince = new Map<string, number>()
  return sorted.flatMap(({ context, state, created_at }): Result[] => {
    const endedAtMs = Date.parse(created_at)
    const startedAtMs = pendingSince.get(context) ?? endedAtMs
    if (state === 'pending') {
      if (!pendingSince.has(context)) pendingSince.set(context, endedAtMs)
      return []
    }
    pendingSince.delete(context)
    const outcome = outcomes[state]
    return outcome ? [{ name: `status ${context}`, outcome, startedAtMs, endedAtMs }] : []
  })
}

// The tests of one commit: a first round, and one more for each time that something ran again.

export type Round = {
  readonly outcome: Outcome
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** What a round is, from what its checks are. */
const worstFirst: readonly Outcome[] = ['failed', 'errored', 'cancelled', 'passed']

/**
 * In round k every check has its k-th result, and one that did not run again has its last. A round lasts
 * from the start of the first to the end of the last check that ran in it.
 */
function roundsOf(results: readonly Result[]): Round[] {
  const sorted = results.toSorted((a, b) => a.startedAtMs - b.startedAtMs)
  const all = [...groupedBy(sorted, ({ name }) => name).values()]
  const most = all.reduce((longest, { length }) => Math.max(longest, length), 0)
  return Array.from({ length: most }, (_, index) => {
    const ran = all.flatMap((attempts) => attempts[index] ?? [])
    const standing = new Set(all.map((attempts) => (attempts[index] ?? attempts.at(-1))?.outcome))
    return {
      outcome: worstFirst.find((each) => standing.has(each)) ?? 'cancelled',
      startedAtMs: ran.reduce((least, { startedAtMs }) => Math.min(least, startedAtMs), Infinity),
      endedAtMs: ran.reduce((latest, { endedAtMs }) => Math.max(latest, endedAtMs), 0),
    }
  })
}

/** A commit of a queue, of the target branch after a merge, or the head of a pull request. */
export type Place = 'queue' | 'target' | 'head'

export type Tested = {
  readonly sha: string
  readonly place: Place
  /** Where it was pushed; null if it is not known. */
  readonly branch: string | null
  /** Of a queue: the pull requests that this test decides about. */
  readonly numbers: readonly number[]
  /** Of a queue: the commit below; null if the branch does not tell. */
  readonly base: string | null
  /** At least one, oldest first. */
  readonly rounds: readonly [Round, ...Round[]]
}

type Draft = Omit<Tested, 'rounds'> & { readonly results: Result[] }

/** Returns all tested commits, by the start of their first round. */
export function testedIn(records: GitHubRecords): Tested[] {
  const targets = new Set(records.pulls.map(({ base }) => base.ref))
  const drafts = new Map<string, Draft>()
  const draftOf = (draft: Omit<Draft, 'results'>): Draft => {
    const key = `${draft.place} ${draft.sha}`
    const known = drafts.get(key) ?? { ...draft, results: [] }
    drafts.set(key, known)
    return known
  }
  for (const run of lastAnswers(records.runs)) {
    const result = resultOfRun(run)
    if (result) draftOf(placed(run, targets)).results.push(result)
  }
  const ofRuns = new Set([...drafts.values()].map(({ sha }) => sha))
  for (const [sha, results] of otherResults(records, ofRuns)) {
    const known = [...places].map((place) => drafts.get(`${place} ${sha}`)).find(Boolean)
    const draft = known ?? draftOf(unplaced(sha, records))
    draft.results.push(...results)
  }
  return [...drafts.values()]
    .flatMap(({ results, ...draft }): Tested[] => {
      const [first, ...rest] = roundsOf(results)
      return first ? [{ ...draft, rounds: [first, ...rest] }] : []
    })
    .sort((a, b) => a.rounds[0].startedAtMs - b.rounds[0].startedAtMs)
}

const places: readonly Place[] = ['queue', 'target', 'head']

function placed(run: WorkflowRun, targets: ReadonlySet<string>): Omit<Draft, 'results'> {
  const ofQueue = queueBranchOf(run)
  const branch = run.head_branch
  if (ofQueue) return { sha: run.head_sha, place: 'queue', branch, ...ofQueue }
  const isOnTarget = run.event === 'push' && targets.has(branch ?? '')
  const place = isOnTarget ? 'target' : 'head'
  return { sha: run.head_sha, place, branch, numbers: [], base: null }
}

/**
 * A commit of which only checks or statuses are known. The merge queue lands the commit that it tested, so
 * it is a test of the queue.
 */
function unplaced(sha: string, { pulls, timelines }: GitHubRecords): Omit<Draft, 'results'> {
  const merged = pulls.filter((pull) => pull.merge_commit_sha === sha).map(({ number }) => number)
  const numbers = merged.filter((number) =>
    (timelines.get(number) ?? []).some(({ event }) => event === 'added_to_merge_queue'),
  )
  const otherwise = merged.length > 0 ? 'target' : 'head'
  const place = numbers.length > 0 ? 'queue' : otherwise
  return { sha, place, branch: null, numbers, base: null }
}

/** A run that was downloaded twice counts as it was told last. Attempts are runs of their own. */
function lastAnswers(runs: readonly WorkflowRun[]): WorkflowRun[] {
  return [...new Map(runs.map((run) => [`${run.id} ${run.run_attempt ?? 1}`, run])).values()]
}

/** Checks and statuses by commit. Those of GitHub Actions are left out where its runs are known. */
function otherResults(
  { checks, statuses, rules }: GitHubRecords,
  ofRuns: ReadonlySet<string>,
): Map<string, Result[]> {
  const required = (rules ?? []).flatMap(({ parameters }) =>
    (parameters?.required_status_checks ?? []).map(({ context }) => context),
  )
  const all = new Map<string, Result[]>()
  const add = (sha: string, results: readonly Result[]): void => {
    const counting = results.filter(({ name }) => required.includes(name.replace(/^\w+ /, '')))
    // Without a list of what is required, everything is.
    const taken = required.length === 0 ? results : counting
    if (taken.length > 0) all.set(sha, [...(all.get(sha) ?? []), ...taken])
  }
  for (const check of checks) {
    const result = resultOfCheck(check)
    const isKnown = check.app?.slug === 'github-actions' && ofRuns.has(check.head_sha)
    if (result && !isKnown) add(check.head_sha, [result])
  }
  for (const [sha, list] of statuses) add(sha, resultsOfStatuses(list))
  return all
}

// The branches on which merge queues test.

/** GitHub, Trunk and Mergeyard name the pull request. */
const named = [
  /^gh-readonly-queue\/.+\/pr-(?<number>\d+)-(?<base>[0-9a-f]{7,64})$/,
  /^trunk-(?:merge|temp)\/pr-(?<number>\d+)\//,
  /^mergeyard\/.+\/pr-(?<number>\d+)\//,
]

/** bors-ng, bors and homu, and Mergify name them in the message of the commit. */
const staging = /^(?:staging|auto|mergify\/merge-queue\/.+)$/
const messages = /^(?:Merge|Auto merge of|Merge of)((?:,? (?:and )?#\d{1,9})+)/

/** The queue's branch on which a run tested; null for a run that is not of a queue. */
function queueBranchOf(run: WorkflowRun): Pick<Tested, 'numbers' | 'base'> | null {
  const branch = run.head_branch ?? ''
  for (const pattern of named) {
    const found = pattern.exec(branch)?.groups
    if (found) return { numbers: [Number(found['number'])], base: found['base'] ?? null }
  }
  const [, list = ''] = staging.test(branch)
    ? (messages.exec(run.head_commit?.message ?? '') ?? [])
    : []
  const numbers = [...list.matchAll(/#(\d+)/g)].map(([, number]) => Number(number))
  return numbers.length > 0 ? { numbers, base: null } : null
}
