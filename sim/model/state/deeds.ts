/** Chapter "Pull request states": moves, and what else the engine is expected to do. */

import type { PullRequestState, Reason } from '../../../engine/index.ts'
import type { Failure, Model, PullRequest, Run } from './state.ts'

/** What a run tests, as text: "7 commits 1 2 > 3" is 3 on top of 1, 2 and the seventh commit. */
export function textOfRun(run: Pick<Run, 'of' | 'tip' | 'base' | 'tested'>): string {
  const { of, tip, base, tested } = run
  return `${of} run on ${[tip, 'commits', ...base, '>', ...tested].join(' ')}`
}

export function say(
  model: Model,
  subject: string,
  text: string,
  rules: string,
  about: readonly number[] = [],
  run: Run | null = null,
): void {
  model.deeds.push({ subject, text, rules, numbers: about, run })
}

export function prOf(model: Model, number: number): PullRequest {
  const found = model.pullRequests.get(number)
  if (!found) throw new Error(`the model does not know pull request ${number}`)
  return found
}

export function isLive(pullRequest: PullRequest | undefined): boolean {
  const state = pullRequest?.state
  return state !== undefined && state !== 'MERGED' && state !== 'FAILED' && state !== 'CANCELLED'
}

/** Moves a pull request, and says so. */
export function move(
  model: Model,
  number: number,
  to: PullRequestState,
  reason: Reason | null,
  rules: string,
  details = '',
): void {
  const pullRequest = prOf(model, number)
  const text = `${number}: ${pullRequest.state} to ${to} (${reason ?? 'no reason'})${details}`
  say(model, `pull request ${number}`, text, rules, [number])
  pullRequest.state = to
  if (to === 'PENDING') pullRequest.pendingSince = model.at
  if (isLive(pullRequest)) return
  say(model, 'departures', `${number} ${to}`, rules, [number])
  pullRequest.leavingFor = null
}

/** Moves those that are not in that state already. */
export function moveThose(
  model: Model,
  numbers: readonly number[],
  to: PullRequestState,
  reason: Reason | null,
  rules: string,
): void {
  for (const number of [...numbers]) {
    if (prOf(model, number).state !== to) move(model, number, to, reason, rules)
  }
}

/** The evidence of a pull request that is FAILED (E-21). */
export function evidence(failure: Failure | null, passed: Run | null): string {
  if (!failure) return ', failed in no run'
  const tests = failure.tests.join(', ')
  return `, failed in run ${failure.run.id} [${tests}], passed in run ${passed?.id ?? 'none'}`
}

/** Cancels a run under way (E-2). */
export function cancelRun(model: Model, run: Run, cause: Reason, rules: string): void {
  stopRun(model, run)
  const text = `cancel ${textOfRun(run)} (${cause})`
  say(model, text, text, rules, run.tested)
}

/** The run is over: it holds no slot. */
export function stopRun(model: Model, run: Run): void {
  model.mainRuns = model.mainRuns.filter((each) => each !== run)
  model.bisectionRuns = model.bisectionRuns.filter((each) => each !== run)
  for (const bisection of model.bisections) {
    bisection.underWay = bisection.underWay.filter((each) => each !== run)
  }
}
