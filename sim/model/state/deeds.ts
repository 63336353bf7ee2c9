/** Chapter "Pull request states": moves, and what else the engine is expected to do. */

import type { PullRequestState, Reason } from '../../../engine/index.ts'
import type { Failure, Model, PullRequest, Run } from './state.ts'

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

/** What a run tests, as text: "7 commits 1 2 > 3" is 3 on top of 1, 2 and the seventh commit. */
export function textOfRun(run: Pick<Run, 'of' | 'tip' | 'base' | 'tested'>): string {
  const { of, tip, base, tested } = run
  return `${of} run on ${[tip, 'commits', ...base, '>', ...tested].join(' ')}`
}

type Details = { readonly numbers?: readonly number[]; readonly run?: Run }

export function say(model: Model, subject: string, text: string, rules: string, of: Details = {}) {
  model.deeds.push({ subject, text, rules, numbers: of.numbers ?? [], run: of.run ?? null })
}

export function prOf(model: Model, number: number): PullRequest {
  const found = model.pullRequests.get(number)
  if (!found) throw new Error(`the model does not know pull request ${number}`)
  return found
}

export const isLive = ({ state }: PullRequest): boolean =>
  state !== 'MERGED' && state !== 'FAILED' && state !== 'CANCELLED'

/** Moves pull requests that are not in that state already, and says so. */
export function move(
  model: Model,
  all: readonly number[],
  to: PullRequestState,
  reason: Reason | null,
  details = '',
): void {
  const rules = rulesOf[reason ?? to] ?? rulesOf[to] ?? ''
  for (const number of [...all]) {
    const pullRequest = prOf(model, number)
    const text = `${number}: ${pullRequest.state} to ${to} (${reason ?? 'no reason'})${details}`
    if (pullRequest.state === to) continue
    say(model, `pull request ${number}`, text, rules, { numbers: [number] })
    pullRequest.state = to
    if (to === 'PENDING') pullRequest.pendingSince = model.at
    if (isLive(pullRequest)) continue
    say(model, 'departures', `${number} ${to}`, rules, { numbers: [number] })
    pullRequest.leavingFor = null
  }
}

/** The evidence of a pull request that is FAILED (E-21). */
export function evidence(failure: Failure | null, passed: Run | null): string {
  if (!failure) return ', failed in no run'
  const tests = failure.tests.join(', ')
  return `, failed in run ${failure.run.id} [${tests}], passed in run ${passed?.id ?? 'none'}`
}

/** Cancels a run under way (E-2). */
export function cancelRun(model: Model, run: Run, cause: Reason): void {
  stopRun(model, run)
  const text = `cancel ${textOfRun(run)} (${cause})`
  say(model, text, text, rulesOf[cause] ?? '', { numbers: run.tested })
}

/** The run is over: it holds no slot. */
export function stopRun(model: Model, run: Run): void {
  const isOther = (each: Run): boolean => each !== run
  model.mainRuns = model.mainRuns.filter(isOther)
  model.bisectionRuns = model.bisectionRuns.filter(isOther)
  for (const each of model.bisections) each.underWay = each.underWay.filter(isOther)
}
