/** What the model expects the engine to do, and by which rules. */

import type { FailureReason, PullRequestState, Reason } from '../../engine/index.ts'
import type { Deed, Model, PullRequest, Result, Run } from './state.ts'
import { deed, lifeOf, textOfEvidence, textOfRun } from './words.ts'

/** The rules of a move or of a cancelled run, by its reason or else by the new state. */
const rulesOf: Partial<Record<Reason | PullRequestState, string>> = {
  MERGE_ITEM_NOW_READY: 'E-18, E-101',
  NOT_READY: 'E-19',
  TESTING: 'E-12, E-66, E-70, E-90',
  TEST_RUN_PASSED: 'E-43, E-73',
  PENDING_FAILURE: 'E-54, E-67',
  PREREQUISITE_MERGE_ITEM_FAILED: 'E-55, E-60, E-67, E-68, E-90',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'E-55, E-90, E-95, E-105',
  TESTS_RESTARTED_BY_API_REQUEST: 'E-42, E-84, E-107',
  SKIP_THE_LINE_INTERRUPTED: 'E-36',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'E-109, E-110',
  BISECTION_REQUIRED: 'E-70',
  BISECTION_TEST_RUN_PASSED: 'E-89',
  TEST_RUNNER_ERROR: 'E-61',
  SUCCESSOR_TEST_RUN_PASSED: 'E-50',
  MERGE_GRAPH_MERGE: 'E-43, E-45',
  MERGE_GRAPH_DIRECT_MERGE: 'E-40',
  MANUAL_MERGE: 'E-110',
  TEST_RUN_REQUIRED_STATUS_FAILED: 'E-56 to E-60, E-73',
  TEST_RUN_TIMEOUT: 'E-60, E-64, E-73',
  START_TEST_RUN_MERGE_CONFLICT: 'E-44, E-66, E-68',
  START_TEST_RUN_RETRY_EXHAUSTED: 'E-60, E-61, E-73',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'E-74, E-81',
  PR_UPDATED_AT_MERGE_TIME: 'E-44',
  GITHUB_API_MERGE_PR_FAILED: 'E-44',
  CANCELLED: 'E-46, E-105',
}

export const numbersOf = (all: readonly PullRequest[]): number[] => all.map(({ number }) => number)

export function say(model: Model, rules: string, ...deeds: readonly Deed[]): void {
  model.deeds.push(...deeds.map((each) => ({ ...each, rules })))
}

export const isLive = ({ state }: PullRequest): boolean =>
  state !== 'MERGED' && state !== 'FAILED' && state !== 'CANCELLED'

/** Moves pull requests that are not in that state already. */
export function move(
  model: Model,
  all: readonly PullRequest[],
  to: PullRequestState,
  reason: Reason | null = null,
  evidence = '',
): void {
  const rules = rulesOf[reason ?? to] ?? rulesOf[to] ?? ''
  for (const pullRequest of all) {
    const { number, state } = pullRequest
    if (state === to) continue
    const text = `${state} to ${to} (${reason ?? 'no reason'})${evidence}`
    say(model, rules, ...lifeOf(number, to, text))
    pullRequest.state = to
    if (to === 'PENDING') pullRequest.pendingSince = model.at
  }
}

/** E-21, E-159: FAILED by the tests of a run. `passed` is the run that passed without it. */
export function convict(
  model: Model,
  member: PullRequest,
  reason: FailureReason,
  { run, tests }: Result,
  passed: Run | undefined,
): void {
  model.judged++
  model.judgedBad++
  move(model, [member], 'FAILED', reason, textOfEvidence(run.id, tests, passed?.id ?? null))
}

const textOf = ({ of, tip, base, tested }: Run): string =>
  textOfRun(of ? 'bisection' : 'main', { tip, base: numbersOf(base), tested: numbersOf(tested) })

/** E-13: it tests the composition of the branch, the base and the tested ones. */
export function startRun(
  model: Model,
  rules: string,
  of: Pick<Run, 'of' | 'tip' | 'branch' | 'base' | 'tested' | 'attempt'>,
): Run {
  const contents = [...of.branch, ...of.base, ...of.tested]
  const deadline = model.at + model.settings.testingTimeoutMinutes * 60_000
  const run: Run = { ...of, contents, deadline, id: 0, isContradicted: false }
  const subject = of.of ? 'bisection runs' : 'main runs'
  say(model, rules, { ...deed(subject, textOf(run), numbersOf(of.tested)), run })
  model.runs = [...model.runs, run]
  return run
}

/** E-2: cancels a run under way. */
export function cancelRun(model: Model, run: Run, cause: Reason): void {
  model.runs = without(model.runs, run)
  const text = `cancel ${textOf(run)} (${cause})`
  say(model, rulesOf[cause] ?? '', deed(text, text, numbersOf(run.tested)))
}

export const without = <Item>(all: readonly Item[], one: Item): Item[] =>
  all.filter((each) => each !== one)
