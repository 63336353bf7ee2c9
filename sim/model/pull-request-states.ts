/** Chapters "Pull request states" and "Order and starting": those that have not entered the line. */

import type { SubmitPullRequest } from '../../engine/index.ts'
import { move } from './deeds.ts'
import { bisectionOf, groupOf } from './groups.ts'
import type { Model, PullRequest } from './state.ts'
import { lifeOf } from './words.ts'

const isLive = ({ state }: PullRequest): boolean =>
  state !== 'MERGED' && state !== 'FAILED' && state !== 'CANCELLED'

/** The pull request of this number that is in the queue. */
export function liveOf(model: Model, number: number): PullRequest | undefined {
  const latest = model.pullRequests.get(number)
  return latest && isLive(latest) ? latest : undefined
}

/** Those that are in the queue and have not entered the line, by submission. */
function waiting(model: Model): PullRequest[] {
  return [...model.pullRequests.values()]
    .filter((each) => isLive(each) && !groupOf(model, each) && !bisectionOf(model, each))
    .sort((a, b) => a.submission - b.submission)
}

/** E-22: of two that wait, the one that starts first comes first. */
export const byOrder = (a: PullRequest, b: PullRequest): number =>
  a.priority - b.priority || a.submission - b.submission

/** E-22: the PENDING ones that have not entered the line, in order. */
export function inOrder(model: Model): PullRequest[] {
  const pending = waiting(model).filter(({ state }) => state === 'PENDING')
  return pending.sort(byOrder)
}

/** E-18, apart from the state of the queue. */
function isEligible(model: Model, number: number): boolean {
  if (model.objected.has(number)) return false
  return model.settings.mode === 'single' || model.targets.has(number)
}

/** E-18, E-19, E-101: after a change, those that wait become PENDING or NOT_READY. */
export function review(model: Model): void {
  for (const one of waiting(model)) {
    if (!isEligible(model, one.number)) move(model, [one], 'NOT_READY')
    else if (model.state === 'RUNNING') move(model, [one], 'PENDING', 'MERGE_ITEM_NOW_READY')
  }
}

/** E-16, E-17, E-20, E-46, E-185. */
export function submit(model: Model, { number, priority, noBatch }: SubmitPullRequest): void {
  const before = liveOf(model, number)
  if (before) {
    before.priority = priority ?? before.priority
    before.noBatch = noBatch ?? before.noBatch
    before.leavingFor = null
    return
  }
  const isReady = model.state === 'RUNNING' && isEligible(model, number)
  const state = isReady ? 'PENDING' : 'NOT_READY'
  model.submissions++
  model.pullRequests.set(number, {
    number,
    submission: model.submissions,
    state,
    priority: priority ?? 100,
    noBatch: noBatch ?? false,
    pendingSince: model.at,
    flakeReturns: 0,
    leavingFor: null,
  })
  model.deeds.push(...lifeOf(number, state, `submitted, ${state}`))
}
