/** The sentences that explain what happened to a pull request. */

import {
  canFollow,
  missingOf,
  type EventOf,
  type PullRequestNumber,
  type Reason,
  type Rejection,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import type { RunContext } from '../observe/run-context.ts'
import { listed, pullRequests } from '../properties/wording.ts'
import type { Step } from '../steps/step.ts'

export type RunEnding = EventOf<'testRunFinished'>['outcome'] | EventOf<'testRunCancelled'>['cause']

/** Describes a submission: its options, and whether the pull request is ready. */
export function sentenceOfSubmission(
  { number, state, dependsOn = [], ...options }: EventOf<'pullRequestSubmitted'>,
  { queue }: Step,
): string {
  const below = dependsOn.length > 0 ? `, to land after ${list(dependsOn)}` : ''
  const requests = optionsOf(options) + below
  if (state === 'NOT_READY') {
    return `submitted${requests}; not ready yet${whyNotReady(number, queue)}`
  }
  const others = queue.order.pending - 1
  const waiting = others === 1 ? '1 other waits' : `${others} others wait`
  return `submitted${requests}${others > 0 ? `; ${waiting} for a first run` : ''}`
}

/** Describes the options of one that was submitted again while it was in the queue. */
export function sentenceOfRewrite(event: EventOf<'pullRequestRewritten'>): string {
  return `submitted again in the queue${optionsOf(event) || ', with no options'}`
}

/** Describes a submission that the queue has refused. */
export function sentenceOfRefusal(rejection: Rejection): string {
  if (rejection.code !== 'depends on itself')
    return 'its submission was refused: it is being merged'
  const through = rejection.through.slice(1, -1)
  const others = through.length > 0 ? ` through ${list(through)}` : ''
  return `its submission was refused: it would depend on itself${others}`
}

function optionsOf({
  priority,
  priorityAsked,
  noBatch,
}: Pick<EventOf<'pullRequestRewritten'>, 'priority' | 'priorityAsked' | 'noBatch'>): string {
  return [
    priorityAsked ? `, priority ${priority}` : '',
    noBatch ? ', to be tested alone' : '',
  ].join('')
}

/** What keeps a pull request from being ready after a command, with a colon; empty: nothing. */
function whyNotReady(number: PullRequestNumber, queue: Step['queue']): string {
  const { state, configuration, hostFacts, impactedTargets } = queue
  const isMissing = configuration.mode === 'parallel' && !(number in impactedTargets)
  const below = missingOf(queue, number).filter((each) => !canFollow(queue, [each]))
  const reasons = [
    state === 'RUNNING' ? [] : `the queue is ${state}`,
    hostFacts[number]?.mergeable === false ? 'the code host objects' : [],
    isMissing ? 'its impacted targets are not known' : [],
    below.length > 0 ? `it waits for ${list(below)}, which it depends on` : [],
  ].flat()
  return reasons.length === 0 ? '' : `: ${listed(reasons)}`
}

const endings: Readonly<Record<Exclude<RunEnding, 'passed' | 'failed'>, string>> = {
  errored: 'was lost by the runner',
  timed_out: 'timed out',
  SUCCESSOR_TEST_RUN_PASSED: 'was no longer needed: the run of a successor passed',
  SKIP_THE_LINE_INTERRUPTED: 'was interrupted by an urgent pull request',
  TESTS_RESTARTED_BY_API_REQUEST: 'was cancelled: a restart was requested',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'was cancelled: a push changed the branch',
  MANUAL_MERGE: 'was cancelled: its pull request was merged by hand',
  PREREQUISITE_MERGE_ITEM_FAILED: 'was cancelled: a pull request in it failed',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'was cancelled: a pull request in it left the queue',
  BISECTION_REQUIRED: 'was cancelled: pull requests in it are being bisected',
  BISECTION_TEST_RUN_PASSED: 'was cancelled: a run of the bisection passed',
  TEST_RUNNER_ERROR: 'was lost by the runner',
  TARGET_BRANCH_FAILED: 'was cancelled: the branch fails by itself',
  MERGE_ITEM_NOW_READY: 'was cancelled: what it waited for has merged',
}

type EndedRunView = {
  readonly id: TestRunId
  readonly ending: RunEnding
  readonly culprits: Culprits
  readonly number: PullRequestNumber
}

/** Describes the end of a run that tested the pull request, and names the culprits. */
export function sentenceOfEnd({ id, ending, culprits, number }: EndedRunView): string {
  if (ending === 'passed') return `run ${id} passed`
  if (ending !== 'failed') return `run ${id} ${endings[ending]}`
  if (culprits === null) return `run ${id} failed`
  if (culprits.length === 0) return `run ${id} failed only because of a flake`
  if (culprits.some((each) => each < 0)) return `run ${id} failed because a push breaks the branch`
  if (culprits.includes(number))
    return `run ${id} failed because this pull request breaks the tests`
  const verb = culprits.length === 1 ? 'breaks' : 'break'
  return `run ${id} failed because ${pullRequests(culprits)} ${verb} the tests`
}

/** Describes a run that tests the pull request: the others that it tests, and its base. */
export function sentenceOfRun(run: TestRun, number: PullRequestNumber): string {
  const others = run.tested.filter((other) => other !== number)
  const together = others.length > 0 ? ` together with ${list(others)}` : ''
  const below = run.base.length > 0 ? `, on top of ${list(run.base)}` : ', on the current branch'
  const alone = run.screening ? ', without its predecessors' : ''
  const kind = run.owner.kind === 'bisection' ? ' of the bisection' : ''
  return `run ${run.id}${kind} tests it${together}${below}${alone}`
}

/** Null: the sentence about the bisection says it. */
const reasons: Readonly<Record<Reason, string | null>> = {
  API_REQUESTED: 'submitted',
  BISECTION_REQUIRED: null,
  MERGE_ITEM_NOW_READY: 'ready; waits for its first run',
  TEST_RUN_PASSED: 'passed; merges after its predecessors',
  SUCCESSOR_TEST_RUN_PASSED: 'cleared, because the run of a successor passed',
  MERGE_GRAPH_MERGE: 'MERGED',
  MERGE_GRAPH_DIRECT_MERGE:
    'MERGED without a run: it was green on the tip and nothing was ahead of it',
  MANUAL_MERGE: 'MERGED by hand, outside the queue',
  PREREQUISITE_MERGE_ITEM_FAILED: 'restarts: a pull request in its run failed',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'restarts: a pull request in its run left the queue',
  TESTS_RESTARTED_BY_API_REQUEST: 'restarts, because a restart was requested',
  SKIP_THE_LINE_INTERRUPTED: 'restarts on top of an urgent pull request',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'restarts: a push changed the branch',
  BISECTION_TEST_RUN_PASSED: 'survived the bisection; tested again on top of the line',
  TEST_RUNNER_ERROR: 'waits until the lost run is repeated',
  TARGET_BRANCH_FAILED: 'restarts: the branch fails by itself',
  SCREENING_TEST_RUN_PASSED: 'passed alone; waits for a run on top of its predecessors',
  TEST_RUN_REQUIRED_STATUS_FAILED: 'FAILED',
  START_TEST_RUN_MERGE_CONFLICT: 'FAILED: it has a text conflict with the branch',
  TEST_RUN_TIMEOUT: 'FAILED: its tests timed out',
  START_TEST_RUN_RETRY_EXHAUSTED: 'FAILED: the runner lost its run three times',
  TEST_RUN_FAILED_BY_OPTIMIZATION:
    'FAILED by elimination: all pull requests before it in its batch passed',
  PR_UPDATED_AT_MERGE_TIME: 'FAILED: it changed during its merge',
  GITHUB_API_MERGE_PR_FAILED: 'FAILED: the code host refused the merge',
  USER_REQUESTED: 'CANCELLED by request',
  PR_CLOSED: 'CANCELLED: it was closed',
  PR_PUSHED_TO: 'CANCELLED: its author pushed to it',
  PR_BASE_BRANCH_CHANGED: 'CANCELLED: its target branch changed',
  PR_CONVERTED_TO_DRAFT: 'CANCELLED: it was converted to a draft',
}

/** Describes a change of state; null if the sentence about a run or a bisection already does. */
export function sentenceOfMove(event: EventOf<'pullRequestMoved'>, { queue }: Step): string | null {
  const { number, to, reason, evidence, leftWith, quarantined = [] } = event
  if (to === 'TESTING') return null
  if (to === 'NOT_READY') return `no longer ready${whyNotReady(number, queue)}`
  if (to === 'PENDING_FAILURE') return pendingFailure(number, queue)
  if (leftWith !== undefined) {
    const left = reason === 'PREREQUISITE_MERGE_ITEM_FAILED' ? 'FAILED' : 'left the queue'
    return `CANCELLED: ${leftWith}, on which it depends, ${left}`
  }
  const sentence = reason === null ? to : reasons[reason]
  if (to === 'FAILED' && evidence) return `${sentence}${evidenceText(evidence)}`
  const isExcused = to === 'TESTS_PASSED' && quarantined.length > 0
  return isExcused ? `${sentence}; failed, but in quarantine: ${listed(quarantined)}` : sentence
}

function pendingFailure(number: PullRequestNumber, queue: Step['queue']): string {
  const { home, dependsOn = [] } = queue.pullRequests[number] ?? {}
  const phase = home?.in === 'group' ? queue.groups[home.group]?.phase : undefined
  if (phase?.kind === 'conflicted') {
    const how = dependsOn.includes(phase.with) ? 'depends on' : 'has a text conflict with'
    return `${how} ${phase.with}, and waits until ${phase.with} merges or leaves`
  }
  const waitsFor =
    phase?.kind === 'failed'
      ? phase.run.base.filter((below) => queue.pullRequests[below]?.state !== 'MERGED')
      : []
  if (waitsFor.length === 0)
    return 'PENDING_FAILURE: all predecessors have merged, so the failure is its own'
  const have = waitsFor.length === 1 ? 'has' : 'have'
  return `PENDING_FAILURE: not its own until ${pullRequests(waitsFor)} ${have} merged`
}

function evidenceText({
  failedIn,
  passedWithout,
}: NonNullable<EventOf<'pullRequestMoved'>['evidence']>): string {
  if (failedIn === null) return ''
  const without = passedWithout === null ? '' : `, run ${passedWithout} passed without it`
  return `; evidence: run ${failedIn} failed with it${without}`
}

/** Pull requests or runs in a sentence. */
export const list = (numbers: readonly number[]): string => listed(numbers, 6)

/** The pull requests that really make a run fail. Empty for a flake; null if the truth is unknown. */
export type Culprits = readonly PullRequestNumber[] | null

/** Returns the culprits of a run that has just started, for the case that it fails without a flake. */
export function culpritsOf(
  { knowsTruth, main }: RunContext,
  { base, tested, tip }: TestRun,
): Culprits {
  return knowsTruth ? main.culprits([...base, ...tested], tip) : null
}
