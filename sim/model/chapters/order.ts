/** Chapter "Order and starting", and which pull requests are ready (E-17 to E-20). */

import type { SubmitPullRequest } from '../../../engine/index.ts'
import { bisectionOf, groupOf } from '../line/predecessors.ts'
import { isLive, move, prOf, say } from '../state/deeds.ts'
import type { Model, PullRequest } from '../state/state.ts'

/** E-22: those that are PENDING and have not entered the line, in order. */
export function inOrder(model: Model): number[] {
  const pending = waiting(model).filter(({ state }) => state === 'PENDING')
  pending.sort((a, b) => a.priority - b.priority || a.content - b.content)
  return pending.map(({ number }) => number)
}

/** Those that have not entered the line, by submission. */
function waiting(model: Model): PullRequest[] {
  return [...model.pullRequests.values()]
    .filter((each) => isLive(each) && !groupOf(model, each.number))
    .filter(({ number }) => !bisectionOf(model, number))
    .sort((a, b) => a.content - b.content)
}

/** E-18, apart from the state of the queue. */
function isEligible(model: Model, number: number): boolean {
  const { mode } = model.settings
  return !model.objected.has(number) && (mode === 'single' || model.targets.has(number))
}

/** E-18, E-19, E-101: after a change, those that wait become PENDING or NOT_READY. */
export function review(model: Model, only: number | null = null): void {
  for (const { number, state } of waiting(model)) {
    if (only !== null && only !== number) continue
    const isFit = isEligible(model, number)
    if (state === 'PENDING' && !isFit) move(model, [number], 'NOT_READY', null)
    if (state === 'NOT_READY' && isFit && model.state === 'RUNNING') {
      move(model, [number], 'PENDING', 'MERGE_ITEM_NOW_READY')
    }
  }
}

/** E-16, E-17, E-20, E-46. */
export function submit(model: Model, { number, priority, noBatch }: SubmitPullRequest): void {
  const before = model.pullRequests.get(number)
  if (before && isLive(before)) {
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
    content: model.submissions,
    state,
    priority: priority ?? 100,
    noBatch: noBatch ?? false,
    pendingSince: model.at,
    mergedBefore: before?.mergedBefore === true || before?.state === 'MERGED',
    flakeReturns: 0,
    leavingFor: null,
  })
  say(model, `pull request ${number}`, `${number}: submitted, ${state}`, 'E-17', {
    numbers: [number],
  })
}

export const hasLeft = (model: Model, number: number): boolean =>
  !model.pullRequests.has(number) || !isLive(prOf(model, number))
