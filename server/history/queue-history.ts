/**
 * The history of one queue, beyond the state of its engine: the timeline of each pull request,
 * every test run ever started, and the order in which pull requests left. It is a pure fold of the
 * queue's commands and events, so a replay gives the same history. It is deleted with the queue.
 */

import {
  type Actor,
  type EngineCommand,
  type Event,
  type Millis,
  type PullRequestNumber,
  type Reason,
  type TestRunId,
  isTerminal,
} from '../../engine/index.ts'
import { AheadOf, type TimelineStep, exactly, lastStepAt, withStep } from './timeline.ts'
import {
  Conclusions,
  type Description,
  type PastRun,
  type PastRunOutcome,
  type PullRequestPast,
  type QueueHistory,
  type StatusesUntil,
} from './records.ts'
import { Counts, countEvents } from './counts.ts'

export type {
  Description,
  FrozenSnapshot,
  PastRun,
  PastRunOutcome,
  PullRequestPast,
  QueueHistory,
} from './records.ts'

export function emptyHistory(): QueueHistory {
  return {
    pullRequests: new Map(),
    testRuns: new Map(),
    conclusions: new Conclusions(),
    reported: new Map(),
    snapshots: new Map(),
    tips: new Map(),
    statusesUntil: [],
    counts: new Counts(),
    pausedFor: null,
    timeoutBy: null,
    notices: 0,
  }
}

/** Adds one command and its events to the history. */
export function remember(
  history: QueueHistory,
  command: EngineCommand & { readonly at: Millis; readonly by?: Actor },
  events: readonly Event[],
): void {
  rememberReported(history, command)
  const { at, by } = command
  const aheadOf = new AheadOf()
  for (const event of events) {
    const ahead = aheadOf.follow(event)
    const cause = { at, by: by?.token ?? null, ...(ahead ? { ahead } : {}) }
    rememberEvent(history, cause, event)
  }
  rememberCommits(history, command, events)
  rememberWords(history, command, events)
  countEvents(history, at, events)
  if (command.type === 'forget') dropForgotten(history)
}

function rememberReported(
  history: QueueHistory,
  command: EngineCommand & { readonly at: Millis },
): void {
  if (command.type === 'setImpactedTargets' || command.type === 'reportPullRequest') {
    noteReport(history, command.number, command.at)
  }
  if (command.type === 'submitPullRequest' || command.type === 'setImpactedTargets') {
    if (command.sha !== undefined) pastOf(history, command.number).sha = command.sha
  } else if (command.type === 'reportPullRequest') {
    describe(pastOf(history, command.number), command)
  } else if (command.type === 'finishTestRun') {
    const run = history.testRuns.get(command.testRun)
    if (run && command.url !== undefined) run.url = command.url
    if (run && command.commit !== undefined) run.commit = command.commit
  }
}

function describe(
  past: PullRequestPast,
  command: Extract<EngineCommand, { readonly type: 'reportPullRequest' }>,
): void {
  const { title = past.described.title, author = past.described.author } = command
  const { base = past.described.base } = command
  past.described = { title, author, base }
  if (command.heldFor) past.heldFor = command.heldFor
  else if (command.mergeable !== undefined) delete past.heldFor
}

/** Notes why a merge was refused, why the server has paused the queue, and who has set its limit. */
function rememberWords(
  history: QueueHistory,
  command: EngineCommand,
  events: readonly Event[],
): void {
  const isRefusal = command.type === 'finishMerge' || command.type === 'reportUnbuildable'
  if (isRefusal && command.words !== undefined) {
    pastOf(history, command.number).refusedFor = command.words
  }
  if (command.type === 'updateQueue' && command.set.testingTimeoutMinutes !== undefined) {
    history.timeoutBy = command.isDerived ? 'server' : 'somebody'
  }
  const { pausedFor = null, set = {} } = command.type === 'updateQueue' ? command : {}
  const isChanged = events.some(({ type }) => type === 'queueStateChanged')
  const isOfSomebody = set.state !== undefined && pausedFor === null
  // One that is PAUSED already does not go on by itself after these, either. A weaker cause takes nothing from a stronger.
  if (isChanged || isOfSomebody || pausedFor?.until === 'resumed') history.pausedFor = pausedFor
}

const none: readonly PullRequestNumber[] = []

/** When it happened, the name of the token that caused it, and the pull request ahead that did. */
type Cause = Pick<TimelineStep, 'at' | 'by' | 'ahead'>

function rememberEvent(history: QueueHistory, cause: Cause, event: Event): void {
  if (event.type === 'pullRequestSubmitted') {
    const { number, state } = event
    const past = pastOf(history, number)
    past.concludedAs = null
    delete past.refusedFor
    history.reported.delete(number)
    const step = { state, reason: 'API_REQUESTED', testRun: null, ...cause } as const
    past.timeline = withStep(past.timeline, step)
  } else if (event.type === 'pullRequestMoved') {
    const { number, to, reason, testRun } = event
    rememberStep(history, number, { state: to, reason, testRun, ...cause })
  } else if (event.type === 'departureDeferred') {
    if (cause.by !== null) pastOf(history, event.number).leavingBy = cause.by
  } else if (event.type === 'pullRequestRewritten') {
    delete pastOf(history, event.number).leavingBy
  } else if (event.type === 'restartRequested') {
    const { number, state } = event
    const reason = 'TESTS_RESTARTED_BY_API_REQUEST'
    rememberStep(history, number, { state, reason, testRun: null, ...cause })
  } else if (event.type === 'testRunStarted') {
    const { id, owner, base, tested, startedAt } = event.run
    // Copies have no spare capacity, which matters because there are many of them.
    const run = {
      kind: owner.kind,
      base: base.length === 0 ? none : base.slice(),
      tested: tested.slice(),
      startedAt,
      outcome: null,
      endedAt: null,
      url: '',
    }
    history.testRuns.set(id, run)
  } else if (event.type === 'testRunFinished') {
    endRun(history, event.testRun, { outcome: event.outcome, endedAt: cause.at })
  } else if (event.type === 'testRunCancelled') {
    endRun(history, event.testRun, { outcome: 'cancelled', endedAt: cause.at })
  } else if (event.type === 'pullRequestForgotten') {
    forgetPullRequest(history, event.number)
  }
}

function rememberStep(history: QueueHistory, number: number, step: TimelineStep): void {
  const past = pastOf(history, number)
  const { leavingBy } = past
  const isKept = leavingBy !== undefined && step.state === 'CANCELLED'
  past.timeline = withStep(past.timeline, isKept ? { ...step, by: leavingBy } : step)
  delete past.leavingBy
  if (!isTerminal(step.state)) return
  if (saysTestsFailed(step.reason) && past.sha !== '') past.failedCommit = past.sha
  past.timeline = exactly(past.timeline)
  past.concludedAs = history.conclusions.add(number)
}

const saysTestsFailed = (reason: Reason | null): boolean =>
  reason === 'TEST_RUN_REQUIRED_STATUS_FAILED' || reason === 'TEST_RUN_FAILED_BY_OPTIMIZATION'

function endRun(
  history: QueueHistory,
  id: TestRunId,
  end: { readonly outcome: PastRunOutcome; readonly endedAt: Millis },
): void {
  const run = history.testRuns.get(id)
  if (run) Object.assign(run, end)
}

/** One object for all that nobody has described. */
export const nothingDescribed: Description = { title: '', author: '', base: '' }

export function isDescribed({ title, author, base }: Description): boolean {
  return title !== '' || author !== '' || base !== ''
}

function pastOf(history: QueueHistory, number: PullRequestNumber): PullRequestPast {
  const known = history.pullRequests.get(number)
  if (known) return known
  const past = { sha: '', described: nothingDescribed, timeline: [], concludedAs: null }
  history.pullRequests.set(number, past)
  return past
}

// What a server forgets: pull requests that left the queue long ago, with their test runs, and uploads
// for pull requests that were never submitted.

/** Notes a report about a pull request that is not in the queue. The latest comes last. */
function noteReport(
  { pullRequests, reported }: QueueHistory,
  number: PullRequestNumber,
  at: Millis,
): void {
  const past = pullRequests.get(number)
  const isInQueue = past !== undefined && past.timeline.length > 0 && past.concludedAs === null
  if (isInQueue) return
  reported.delete(number)
  reported.set(number, at)
}

function forgetPullRequest(
  { pullRequests, reported, conclusions }: QueueHistory,
  number: PullRequestNumber,
): void {
  const past = pullRequests.get(number)
  if (past && past.concludedAs !== null) conclusions.forget(lastStepAt(past.timeline))
  pullRequests.delete(number)
  reported.delete(number)
}

/** Drops the conclusions, test runs and snapshots of which every pull request is forgotten. */
function dropForgotten(history: QueueHistory): void {
  const { pullRequests, testRuns, conclusions } = history
  dropCommits(history)
  conclusions.dropUnused((position, number) => pullRequests.get(number)?.concludedAs === position)
  const isForgotten = ({ outcome, tested, startedAt }: PastRun): boolean =>
    outcome !== null &&
    startedAt <= conclusions.forgotten.forgottenUntil &&
    !tested.some((number) => pullRequests.has(number))
  for (const [id, run] of testRuns) {
    // Runs are in the order in which they started.
    if (run.startedAt > conclusions.forgotten.forgottenUntil) break
    if (isForgotten(run)) testRuns.delete(id)
  }
  const [oldest] = testRuns.values()
  const isNeeded = ({ until }: StatusesUntil): boolean => until >= (oldest?.startedAt ?? Infinity)
  history.statusesUntil = history.statusesUntil.filter(isNeeded)
}

// The commits behind the numbers of the engine: which head a submission has, and which commit each tip
// of the target branch is. They are told by commands and not derived, so a replay knows them too.

/** Notes the snapshot of a new submission, and the commits of tips that the command has moved. */
function rememberCommits(
  history: QueueHistory,
  command: EngineCommand & { readonly at: Millis },
  events: readonly Event[],
): void {
  if (command.type === 'submitPullRequest' && command.card) {
    const { at, card: snapshot, number } = command
    // A pull request that is in the queue keeps the snapshot of its submission.
    const submitted = events.find((event) => event.type === 'pullRequestSubmitted')
    if (submitted) history.snapshots.set(submitted.submission, { ...snapshot, number, at })
  }
  const commits = commitsIn(command)
  for (const event of events) {
    if (event.type !== 'tipMoved') continue
    const commit = commits.shift()
    if (commit !== undefined) history.tips.set(event.tip, commit)
  }
}

/** The commits that the command tells, in the order in which the tips move. */
function commitsIn(command: EngineCommand): string[] {
  if (command.type === 'finishMerge') return [...(command.commits ?? [])]
  if (command.type !== 'reportPush' && command.type !== 'reportManualMerge') return []
  return command.commit === undefined ? [] : [command.commit]
}

/**
 * Drops the snapshots of forgotten pull requests, and the tips before the oldest that anybody can still ask
 * for.
 */
function dropCommits(history: QueueHistory): void {
  for (const [submission, { number }] of history.snapshots) {
    if (!history.pullRequests.has(number)) history.snapshots.delete(submission)
  }
  const tips = [...history.tips.keys()]
  const oldest = (tips.at(-1) ?? 0) - keptTips
  for (const tip of tips) if (tip < oldest) history.tips.delete(tip)
}

/** More than the merges that can happen while a bisection or a run is pinned to a tip. */
const keptTips = 10_000
