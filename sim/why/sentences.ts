/** What happened to a pull request, in sentences. */

import type { EventOf, PullRequestNumber, Reason, TestRun, TestRunId } from '../../engine/index.ts'
import type { Moment } from '../moment.ts'
import type { Culprits } from './culprits.ts'
import { list, several } from './words.ts'

export type RunEnding = EventOf<'testRunFinished'>['outcome'] | EventOf<'testRunCancelled'>['cause']

/** It comes in: with which wishes, and whether it can start. */
export function sentenceOfSubmission(
  { state, priority, priorityAsked, noBatch }: EventOf<'pullRequestSubmitted'>,
  { queue }: Moment,
): string {
  const wishes = [
    priorityAsked ? `, priority ${priority}` : '',
    noBatch ? ', to be tested alone' : '',
  ].join('')
  if (state === 'NOT_READY') {
    const why = queue.state === 'RUNNING' ? '' : `: the queue is ${queue.state}`
    return `submitted${wishes}; not ready yet${why}`
  }
  const others = queue.order.pending - 1
  return `submitted${wishes}${others > 0 ? `; ${others} more wait for a first run` : ''}`
}

const endings: Readonly<Record<Exclude<RunEnding, 'passed' | 'failed'>, string>> = {
  errored: 'was lost by the runner',
  timed_out: 'took too long, and was given up',
  SUCCESSOR_TEST_RUN_PASSED: 'was no longer needed: a run on top of it passed',
  SKIP_THE_LINE_INTERRUPTED: 'was interrupted by an urgent pull request',
  TESTS_RESTARTED_BY_API_REQUEST: 'was repeated, because somebody asked',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'was stale: somebody pushed to the branch',
  MANUAL_MERGE: 'was of no use: a person has merged it',
  PREREQUISITE_MERGE_ITEM_FAILED: 'was stale: something in it failed',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'was stale: something in it was taken out',
  BISECTION_REQUIRED: 'was stale: something in it is being bisected',
  BISECTION_TEST_RUN_PASSED: 'was stale: a bisection has moved on',
  TEST_RUNNER_ERROR: 'was lost by the runner',
}

type Ended = {
  readonly id: TestRunId
  readonly ending: RunEnding
  readonly culprits: Culprits
  readonly number: PullRequestNumber
}

/** A run that tested it is over, and whose fault that was. */
export function sentenceOfEnd({ id, ending, culprits, number }: Ended): string {
  if (ending === 'passed') return `run ${id} passed`
  if (ending !== 'failed') return `run ${id} ${endings[ending]}`
  if (culprits === null) return `run ${id} failed`
  if (culprits.length === 0) return `run ${id} failed: a flake, nothing in it breaks`
  if (culprits.includes(number)) return `run ${id} failed, because it breaks`
  return `run ${id} failed, because ${list(culprits)} ${culprits.length === 1 ? 'breaks' : 'break'}`
}

/** A run that tests it, with whom it is and what is below. */
export function sentenceOfRun(run: TestRun, number: PullRequestNumber): string {
  const company = run.tested.filter((other) => other !== number)
  const together = company.length > 0 ? ` together with ${list(company)}` : ''
  const below = run.base.length > 0 ? `, on top of ${list(run.base)}` : ', on the branch as it is'
  const kind = run.owner.kind === 'bisection' ? ' of the bisection' : ''
  return `run ${run.id}${kind} tests it${together}${below}`
}

const reasons: Readonly<Partial<Record<Reason, string>>> = {
  MERGE_ITEM_NOW_READY: 'ready: waits for its first run',
  TEST_RUN_PASSED: 'passed; merges when everything ahead has',
  SUCCESSOR_TEST_RUN_PASSED: 'cleared by a run behind it that passed',
  MERGE_GRAPH_MERGE: 'MERGED',
  MERGE_GRAPH_DIRECT_MERGE: 'MERGED without a run: green on the tip, with nothing ahead',
  MANUAL_MERGE: 'MERGED by a person, past the queue',
  PREREQUISITE_MERGE_ITEM_FAILED: 'starts again: something its run held has failed',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'starts again: something its run held was taken out',
  TESTS_RESTARTED_BY_API_REQUEST: 'starts again, because somebody asked',
  SKIP_THE_LINE_INTERRUPTED: 'starts again, on top of an urgent pull request',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'starts again: somebody pushed to the branch',
  BISECTION_TEST_RUN_PASSED: 'survived; the line has moved on, so it is tested once more',
  TEST_RUNNER_ERROR: 'waits for the lost run to be made again',
  TEST_RUN_REQUIRED_STATUS_FAILED: 'FAILED',
  TEST_RUN_TIMEOUT: 'FAILED: its tests took too long',
  START_TEST_RUN_RETRY_EXHAUSTED: 'FAILED: the runner lost its run three times',
  TEST_RUN_FAILED_BY_OPTIMIZATION:
    'FAILED by elimination: everything before it in its batch passed',
  PR_UPDATED_AT_MERGE_TIME: 'FAILED: it changed while it was being merged',
  GITHUB_API_MERGE_PR_FAILED: 'FAILED: the code host would not merge it',
  USER_REQUESTED: 'CANCELLED by request',
  PR_CLOSED: 'CANCELLED: it was closed',
  PR_PUSHED_TO: 'CANCELLED: its author pushed to it',
  PR_BASE_BRANCH_CHANGED: 'CANCELLED: it is for another branch now',
  PR_CONVERTED_TO_DRAFT: 'CANCELLED: it is a draft again',
}

/** A move along the transition table; null where a run or a bisection says it already. */
export function sentenceOfMove(
  event: EventOf<'pullRequestMoved'>,
  { queue }: Moment,
): string | null {
  const { number, to, reason, evidence } = event
  if (to === 'TESTING' || reason === 'BISECTION_REQUIRED') return null
  if (to === 'NOT_READY') return 'not ready any more'
  if (reason === 'START_TEST_RUN_MERGE_CONFLICT')
    return 'FAILED: it conflicts as text with what has merged'
  if (to === 'PENDING_FAILURE') return pendingFailure(number, queue)
  const sentence = reason === null ? to : (reasons[reason] ?? reason)
  if (to !== 'FAILED' || !evidence) return sentence
  return `${sentence}${evidenceText(evidence)}`
}

function pendingFailure(number: PullRequestNumber, queue: Moment['queue']): string {
  const home = queue.pullRequests[number]?.home
  const phase = home?.in === 'group' ? queue.groups[home.group]?.phase : undefined
  if (phase?.kind === 'conflicted')
    return `conflicts as text with ${phase.with}, and waits for its fate`
  const waitsFor =
    phase?.kind === 'failed'
      ? phase.run.base.filter((below) => queue.pullRequests[below]?.state !== 'MERGED')
      : []
  if (waitsFor.length === 0) return 'PENDING_FAILURE: everything below has merged, so it is its own'
  return `PENDING_FAILURE: not its own before ${several('pull request', waitsFor)} merged`
}

function evidenceText({
  failedIn,
  passedWithout,
}: NonNullable<EventOf<'pullRequestMoved'>['evidence']>): string {
  if (failedIn === null) return ''
  const without = passedWithout === null ? '' : `, and passed without it in run ${passedWithout}`
  return `; the evidence: it failed in run ${failedIn}${without}`
}
