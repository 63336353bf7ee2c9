/**
 * Why a pull request is where it is: the one table of reasons, of which page, API, comments and terminal make their
 * sentences (A-261).
 */

import {
  type Deciding,
  type GroupView,
  type PullRequestState,
  type PullRequestView,
  type QueueView,
  type Reason,
  canFollow,
  deciding,
  failuresBefore,
  failureOfTip,
  isLeftOut,
  isTerminal,
  missingOf,
  pullRequestTransitions,
  restartReasons,
  retryAfterMinutes,
  thresholds,
  tipRunOf,
  waitsForDependency,
} from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import {
  whyBisected,
  leftWords,
  named,
  otherCount,
  repeatWords,
  stackOnWire,
  stackWords,
} from './stack.ts'
import { type Ahead, type TimelineStep, stepsOf } from '../history/timeline.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { aboutPause, notReadyReasons, reasonsByState } from './pull-request.ts'
import type { StateCase } from './state-case.ts'
import { runInWhy, tellingRuns } from './telling-runs.ts'

// What sentences for strangers are made of: no test, no person, no title, no file.

export type UnnamedStep = Omit<TimelineStep, 'by'>

export type UnnamedPullRequest = Omit<PullRequestView, 'evidence' | 'quarantined'> & {
  readonly quarantined?: { readonly length: number }
  readonly evidence: Pick<NonNullable<PullRequestView['evidence']>, 'passedWithout'> | null
}

type UnnamedQueue = Pick<
  QueueView,
  | 'line'
  | 'groups'
  | 'phases'
  | 'bisections'
  | 'state'
  | 'configuration'
  | 'slots'
  | 'testRuns'
  | 'tipTest'
> & { readonly pullRequests: Readonly<Record<number, UnnamedPullRequest>> }

/** A part of a sentence for each reason of a move; null for one that says nothing beyond the state. */
export const reasonWords = {
  API_REQUESTED: 'submitted',
  MERGE_ITEM_NOW_READY: 'ready now',
  TEST_RUN_PASSED: null,
  SUCCESSOR_TEST_RUN_PASSED: 'a run of those behind it passed with it',
  SCREENING_TEST_RUN_PASSED: 'a run without those ahead passed',
  MERGE_GRAPH_MERGE: null,
  MERGE_GRAPH_DIRECT_MERGE: 'it was based on the tip and green, so it needed no run',
  MANUAL_MERGE: 'its change came on the branch otherwise',
  PREREQUISITE_MERGE_ITEM_FAILED: 'what it was tested on top of has changed',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'what it was tested on top of has left',
  TESTS_RESTARTED_BY_API_REQUEST: 'a restart was requested',
  SKIP_THE_LINE_INTERRUPTED: 'an urgent one went ahead',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'somebody pushed to the target branch',
  BISECTION_REQUIRED: 'its batch failed, and a bisection looks for the culprit',
  BISECTION_TEST_RUN_PASSED: 'the bisection proved it',
  TEST_RUNNER_ERROR: 'its run ended without a verdict',
  TARGET_BRANCH_FAILED: 'the target branch fails by itself',
  TEST_RUN_REQUIRED_STATUS_FAILED: 'its tests failed',
  TEST_RUN_TIMEOUT: 'its run took too long',
  START_TEST_RUN_MERGE_CONFLICT: 'it conflicts with the target branch',
  START_TEST_RUN_RETRY_EXHAUSTED: 'its runs ended without a verdict',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'runs of smaller sets show that it breaks the tests',
  PR_UPDATED_AT_MERGE_TIME: 'somebody pushed to it, or removed its branch, while it was merged',
  GITHUB_API_MERGE_PR_FAILED: 'the code host refused the merge',
  USER_REQUESTED: 'by request',
  PR_CLOSED: 'it was closed',
  PR_PUSHED_TO: 'somebody pushed to it',
  PR_BASE_BRANCH_CHANGED: 'its target branch was changed',
  PR_CONVERTED_TO_DRAFT: 'it became a draft',
} as const satisfies Record<Reason, string | null>

const notReadyWords = {
  queue_paused: 'the queue is paused',
  queue_draining: 'the queue is draining and takes nobody new',
  queue_switching_modes: 'the queue is switching its mode',
  not_mergeable: 'the code host does not let it merge',
  impacted_targets_missing: 'its impacted targets are not known yet',
  dependency_not_ready: 'waits for what it depends on',
} as const satisfies Record<wire.NotReadyReason, string>

const heldWords = {
  conflict: 'it conflicts with the target branch',
  approval: 'an approval is missing',
} as const

/** What keeps it from being ready, each a part of a sentence; `inFull`: with what git or the host has said. */
export function wordsNotReady(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  inFull = false,
): string[] {
  const { queue: state } = queue.engine
  const { heldFor, refusedFor } = queue.history.pullRequests.get(pullRequest.number) ?? {}
  const told = (what: string, words: string | undefined): string =>
    inFull && words !== undefined ? `${what}: ${words}` : what
  const below = missingOf(state, pullRequest.number).filter((each) => !canFollow(state, [each]))
  return notReadyReasons(queue, pullRequest).flatMap((reason) => {
    if (reason === 'dependency_not_ready') return waitsFor(below)
    if (reason !== 'not_mergeable') return notReadyWords[reason]
    if (!heldFor) return told(notReadyWords.not_mergeable, refusedFor)
    const { conflict, approval } = heldFor
    return [
      conflict === undefined ? [] : told(heldWords.conflict, conflict),
      approval === undefined ? [] : told(heldWords.approval, approval),
    ].flat()
  })
}

const waitsFor = (below: readonly number[]): string =>
  `waits for ${named(below)}, which it depends on`

/** The words of a move; null for one that says nothing beyond the state. They name the one ahead that is its cause. */
export function wordsOfStep(reason: Reason | null, ahead: Ahead | undefined): string | null {
  if (!ahead) return reason === null ? null : reasonWords[reason]
  const who = `${ahead.inBatch ? 'the batch of ' : ''}#${ahead.number} ahead`
  return reason === 'PREREQUISITE_MERGE_ITEM_CANCELLED' ? `${who} has left` : `${who} failed`
}

/** The words of its last move. */
export function wordsOfReason(queue: ManagedQueue, pullRequest: UnnamedPullRequest): string | null {
  const { reason, leftWith, number, submission } = pullRequest
  const { snapshots, pullRequests } = queue.history
  if (leftWith !== undefined) return leftWords(reason, leftWith)
  const isBranch = snapshots.get(submission)?.ref.startsWith('refs/heads/') === true
  if (reason === 'PR_CLOSED' && isBranch) return 'its branch was removed'
  const last = stepsOf(pullRequests.get(number)?.timeline ?? []).at(-1)
  return wordsOfStep(reason, last?.reason === reason ? last.ahead : undefined)
}

/** The sentence for strangers. */
export function whyOf(queue: ManagedQueue, pullRequest: PullRequestView): string {
  if (isTerminal(pullRequest.state)) return whyEnded(queue, pullRequest)
  if (pullRequest.state === 'NOT_READY') {
    return sentence(`not ready: ${wordsNotReady(queue, pullRequest).join(', and ')}`)
  }
  const { queue: state } = queue.engine
  const again = whyAgain(queue, pullRequest)
  const why = whyInQueue(state, pullRequest, deciding(state, pullRequest))
  return again === null ? why : `${why} ${again}`
}

const allReasons = pullRequestTransitions.flatMap(({ reasons }) => reasons)
const restarts: ReadonlySet<Reason> = new Set<Reason>(restartReasons)

/** Why what was tested before waits once more. */
function whyAgain(queue: ManagedQueue, pullRequest: UnnamedPullRequest): string | null {
  const { state, reason, home } = pullRequest
  const isAgain = state === 'PENDING' && reason !== null && restarts.has(reason)
  // While the branch fails, the whole sentence is about that.
  const isExplained = reason === 'TARGET_BRANCH_FAILED' && failureOfTip(queue.engine.queue) !== null
  if (!isAgain || isExplained || home.in === 'bisection') return null
  return `It is tested again: ${wordsOfReason(queue, pullRequest)}.`
}

/** The same with files, people, and the words of git and the host. */
export function whyInFull(queue: ManagedQueue, pullRequest: PullRequestView): string {
  if (pullRequest.state === 'NOT_READY') {
    return sentence(`not ready: ${wordsNotReady(queue, pullRequest, true).join(', and ')}`)
  }
  const why = whyOf(queue, pullRequest)
  const by = askedBy(queue, pullRequest)
  if (by !== null) {
    return pullRequest.state === 'CANCELLED'
      ? `Cancelled by ${by}.`
      : `${why.slice(0, -1)} by ${by}.`
  }
  const tests = pullRequest.quarantined?.join(', ')
  if (tests !== undefined) return `${why.slice(0, -1)}: ${tests}.`
  const words = refusalOf(queue, pullRequest)
  return words === null ? why : `${why.slice(0, -1)}: ${words}`
}

/** Who has cancelled it, or has its tests restarted; null: nobody, or that is not known. */
export function askedBy(queue: ManagedQueue, pullRequest: PullRequestView): string | null {
  const { state, reason, number } = pullRequest
  const isCancelled = state === 'CANCELLED' && reason === 'USER_REQUESTED'
  const isRestarted =
    reason === 'TESTS_RESTARTED_BY_API_REQUEST' && whyAgain(queue, pullRequest) !== null
  if (!isCancelled && !isRestarted) return null
  const steps = stepsOf(queue.history.pullRequests.get(number)?.timeline ?? [])
  return steps.at(-1)?.by ?? null
}

/** Why something happens to it; null if what happens says it all. `words`: of git or the host. */
export function whyMoved(
  reason: string,
  {
    words,
    ahead,
  }: { readonly words?: string | undefined; readonly ahead?: Ahead | undefined } = {},
): string | null {
  const known = allReasons.find((each) => each === reason)
  const said = known === undefined ? null : wordsOfStep(known, ahead)
  if (said === null) return null
  return sentence(words === undefined ? said : `${said}: ${words}`)
}

/** What git or the host has said about it, if it is held back or failed for that; else null. */
export function refusalOf(
  queue: ManagedQueue,
  { number, state, reason, home }: PullRequestView,
): string | null {
  const { groups } = queue.engine.queue
  const isConflict =
    state === 'PENDING_FAILURE' &&
    home.in === 'group' &&
    groups[home.group]?.phase.kind === 'conflicted'
  const isRefused = state === 'FAILED' && reason !== null && refusals.has(reason)
  const { heldFor, refusedFor = null } = queue.history.pullRequests.get(number) ?? {}
  if (state === 'NOT_READY' && heldFor) {
    return Object.values(heldFor).join('; ')
  }
  return state === 'NOT_READY' || isConflict || isRefused ? refusedFor : null
}

const refusals: ReadonlySet<Reason> = new Set<Reason>([
  'START_TEST_RUN_MERGE_CONFLICT',
  'GITHUB_API_MERGE_PR_FAILED',
])

function whyEnded(queue: ManagedQueue, pullRequest: UnnamedPullRequest): string {
  const { state, reason, evidence, quarantined } = pullRequest
  if (reason === 'USER_REQUESTED') return 'Cancelled by request.'
  if (quarantined) return sentence(onlyInQuarantine)
  const why = sentence(wordsOfReason(queue, pullRequest) ?? plainly[state] ?? '')
  const isProof = state === 'FAILED' && typeof evidence?.passedWithout === 'number'
  return isProof ? `${why.slice(0, -1)}; without it they passed.` : why
}

const onlyInQuarantine = 'only tests in quarantine failed in its run'

const plainly: Readonly<Partial<Record<PullRequestState, string>>> = {
  MERGED: 'its tests passed',
  FAILED: 'its tests failed',
  CANCELLED: 'it was cancelled',
}

function whyInQueue(
  queue: UnnamedQueue,
  pullRequest: UnnamedPullRequest,
  numbers: Deciding | null,
): string {
  const { home, number } = pullRequest
  if (home.in === 'bisection') {
    const bisection = queue.bisections.find(({ id }) => id === home.bisection)
    const isProven = bisection?.proven.includes(number) === true
    if (isProven) return 'Proven by the bisection; it goes back into the line with the next start.'
    const odds = numbers?.odds ?? null
    if (odds !== null && odds >= thresholds.leastOdds && tipRunOf(queue)) return tipTested
    const why = odds === null ? whyBisected(bisection) : `Its tests failed; ${disbelief(odds)}.`
    return bisection ? `${why}${repeatWords(bisection, number)}` : why
  }
  const group = home.in === 'group' ? queue.groups[home.group] : undefined
  return group ? whyInLine(queue, group, numbers) : whyWaiting(queue, pullRequest, numbers)
}

// What the adaptive policy has decided, with its numbers (A-340).

const percent = (share: number): string => `${Math.round(share * 100)} %`

const disbelief = (odds: number): string =>
  `the odds that it breaks them are ${odds < 10 ? odds.toFixed(1) : Math.round(odds)} to 1 now, and ` +
  `${thresholds.leastOdds} to 1 are needed, so it is tested again`

const size = ({ batchSize, failureRate }: Deciding): string =>
  `Waits for a batch of ${batchSize} to fill; ${percent(failureRate)} of the pull requests fail.`

const doubt = (whom: string, chance: number): string =>
  `the chance that ${whom} all pass is ${percent(chance)}, and ${percent(thresholds.leastChance)} are needed`

const flakes = ({ flakeRate }: Deciding): string => `${percent(flakeRate)} of the runs flake`

// The facts behind the sentence.

/** The sentence, and the runs that show it. */
export function explained(
  queue: ManagedQueue,
  pullRequest: PullRequestView,
  stateCase: StateCase = 'upper',
): wire.Why {
  const { engine, ids } = queue
  const { home, number } = pullRequest
  const group = home.in === 'group' ? engine.queue.groups[home.group] : undefined
  const isRival = group?.phase.kind === 'conflicted' && !waitsForDependency(group)
  const about = [...aboutStack(engine.queue, pullRequest), ...aboutPause(queue, pullRequest)]
  const runs = tellingRuns(queue, pullRequest)
  const [log] = runs
  return {
    sentence: [whyInFull(queue, pullRequest), ...about].join(' '),
    conflictsWith: isRival ? group.phase.with : null,
    ...stackOnWire(engine.queue, number, stateCase),
    runs: runs.flatMap((run) => runInWhy(queue, run) ?? []),
    logOf: log === undefined ? null : testRunId(ids, log),
  }
}

function aboutStack(queue: QueueView, { state, home, number }: PullRequestView): string[] {
  const group = home.in === 'group' ? queue.groups[home.group] : undefined
  const isExplained = state === 'NOT_READY' || (group && waitsForDependency(group)) === true
  return stackWords(queue, number, isExplained).map(sentence)
}

// Those in the queue.

/** The last pull requests of the groups that it is tested on top of, without those below these. Nothing stands on one with a conflict. */
function justAhead(queue: UnnamedQueue, { id, dependsOn }: GroupView): number[] {
  const { line, groups, configuration } = queue
  const standing = (each: number): GroupView[] => {
    const group = groups[each]
    return group && !isLeftOut(group) ? [group] : []
  }
  const known =
    configuration.mode === 'parallel'
      ? dependsOn.flatMap(standing)
      : line.slice(0, line.indexOf(id)).flatMap(standing).slice(-1)
  const further = new Set(known.flatMap((each) => each.dependsOn))
  known.sort((one, other) => line.indexOf(one.id) - line.indexOf(other.id))
  return known.flatMap((each) => (further.has(each.id) ? [] : (each.members.at(-1) ?? [])))
}

const tipTested = 'Its run failed; whether the target branch fails by itself is being tested.'

const branchFails = 'The target branch fails by itself; the queue goes on when it passes.'

function whyInLine(queue: UnnamedQueue, group: GroupView, numbers: Deciding | null): string {
  const { phase } = group
  switch (phase.kind) {
    case 'waiting':
      return whyNotStarted(queue, group, numbers?.chanceAhead ?? 1)
    case 'testing':
      return whyTested(queue, group, phase.run.screening ? (numbers?.chanceAhead ?? null) : null)
    case 'passed':
      // The branch may refuse it, or be gone.
      return phase.merging === null
        ? whyNotMerged(queue, group)
        : 'Its tests passed; it merges as soon as the branch takes it.'
    case 'failed':
      return whyFailed(queue, phase, numbers)
    case 'conflicted':
      return waitsForDependency(group)
        ? sentence(waitsFor([phase.with]))
        : `It conflicts with #${phase.with}, and waits until that one merges or leaves.`
  }
}

function whyNotStarted(queue: UnnamedQueue, group: GroupView, chance: number): string {
  if (queue.state === 'PAUSED') return 'Waits for a run; the queue is paused.'
  if (failureOfTip(queue) && !group.urgent) return branchFails
  if (group.phase.kind === 'waiting' && group.phase.retry) return whyRepeated(group.phase.retry)
  return group.screened && chance < thresholds.leastChance
    ? `It passed alone and waits: ${doubt('those ahead', chance)}.`
    : 'Waits for a free slot to be tested.'
}

/** A run without a verdict is repeated so often, each time after a longer wait. */
function whyRepeated({ attempt }: { readonly attempt: number }): string {
  const which = attempt < retryAfterMinutes.length ? 'next run' : 'last run'
  return `Waits for its ${which}, ${retryAfterMinutes[attempt - 1] ?? 0} min after the one before.`
}

/** With the chance that those ahead pass if it is tested without them, else null. */
function whyTested(queue: UnnamedQueue, group: GroupView, alone: number | null): string {
  const others = group.members.length - 1
  const together = others > 0 ? ` with ${otherCount(others)}` : ''
  if (alone !== null)
    return `Its tests run${together} without those ahead: ${doubt('these', alone)}.`
  const ahead = justAhead(queue, group)
  return `Its tests run${together}${ahead.length === 0 ? '' : ` on top of ${named(ahead)}`}.`
}

function whyFailed(
  queue: UnnamedQueue,
  { heldUntil, aside, run }: Extract<GroupView['phase'], { kind: 'failed' }>,
  numbers: Deciding | null,
): string {
  if (failureOfTip(queue)) return branchFails
  if (tipRunOf(queue)) return tipTested
  if (heldUntil !== null) {
    const because = numbers ? `, because ${flakes(numbers)}` : ''
    return `Its run failed; a run of those behind it may still clear it${because}.`
  }
  if (run.screening)
    return 'It failed without those ahead; it is settled when these have merged or left.'
  return aside && numbers
    ? `Its run failed, and those behind go on without it, because only ${flakes(numbers)}; what is ahead is not settled yet.`
    : 'Its run failed, and what is ahead is not settled yet.'
}

function whyNotMerged(queue: UnnamedQueue, group: GroupView): string {
  const ahead = justAhead(queue, group)
  const isByQuarantine = group.phase.kind === 'passed' && group.phase.run?.quarantined !== undefined
  const passed = isByQuarantine ? 'Only tests in quarantine failed' : 'Its tests passed'
  if (queue.state === 'PAUSED') return `${passed}; it merges when the queue is resumed.`
  if (ahead.length > 0) return `${passed}; it merges after ${named(ahead)}.`
  const failures = [...failuresBefore(queue, group)].flat()
  const when = failures.length === 0 ? 'next' : `when the failure of ${named(failures)} is settled`
  return `${group.provenBy === null ? passed : 'Proven'}; it merges ${when}.`
}

function whyWaiting(
  queue: UnnamedQueue,
  pullRequest: UnnamedPullRequest,
  numbers: Deciding | null,
): string {
  const { configuration, slots, state } = queue
  const closed = reasonsByState[state]
  if (closed) return `Waits; ${notReadyWords[closed]}.`
  if (failureOfTip(queue)) return branchFails
  if (slots.main >= configuration.concurrency) {
    return configuration.concurrency === 1
      ? 'Waits for the only slot, which is in use.'
      : `Waits for a slot; all ${configuration.concurrency} are in use.`
  }
  const { batch, batchingMinSize } = configuration
  if (batch && !pullRequest.noBatch && batchingMinSize > 1) {
    return numbers ? size(numbers) : `Waits for a batch of up to ${batchingMinSize} to fill.`
  }
  return 'Waits for its turn.'
}

/** With a capital letter and a full stop. */
export const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
