/** Chapters "Pull request states", "Order and starting" and "Batches": those outside the line. */

import type { ImpactedTargets, SubmitPullRequest } from '../../engine/index.ts'
import { share, targetsOf } from './groups.ts'
import { batchSize } from './policy.ts'
import { isAlone, move, without, type Model, type PullRequest } from './state.ts'

const isLive = ({ state }: PullRequest) => !['MERGED', 'FAILED', 'CANCELLED'].includes(state)

/** The pull request of this number that is in the queue. */
export function liveOf(model: Model, number: number): PullRequest | undefined {
  const latest = model.pullRequests.get(number)
  return latest && isLive(latest) ? latest : undefined
}

/** Those that are in the queue, but neither in the line nor in a bisection, by submission. */
function waiting(model: Model): PullRequest[] {
  const bisected = model.bisections.flatMap(({ open, proven }) => [...open, ...proven])
  const inLine = model.line.flatMap(({ members }) => members)
  const all = [...model.pullRequests.values()].filter(isLive)
  return without(all, ...inLine, ...bisected).sort((a, b) => a.submission - b.submission)
}

/** E-22: of two that wait, the one that starts first comes first. */
export const byOrder = (a: PullRequest, b: PullRequest): number =>
  a.priority - b.priority || a.submission - b.submission

/** E-22: the PENDING ones that have not entered the line, in order. */
export const inOrder = (model: Model): PullRequest[] =>
  waiting(model)
    .filter(({ state }) => state === 'PENDING')
    .toSorted(byOrder)

/** E-18, apart from the state of the queue. */
const isEligible = (model: Model, number: number): boolean =>
  !model.objected.has(number) && (model.settings.mode === 'single' || model.targets.has(number))

/** E-18, E-19, E-101: after a change, those that wait become PENDING or NOT_READY. */
export function review(model: Model): void {
  for (const one of waiting(model)) {
    if (!isEligible(model, one.number)) move(model, [one], 'NOT_READY')
    else if (model.state === 'RUNNING') move(model, [one], 'PENDING', 'MERGE_ITEM_NOW_READY')
  }
}

/** E-16, E-17, E-185: what is submitted enters the order. */
export function submitNew(model: Model, submitted: SubmitPullRequest): void {
  const { number, sha, priority = 100, noBatch = false } = submitted
  const isReady = model.state === 'RUNNING' && isEligible(model, number)
  const state = isReady ? 'PENDING' : 'NOT_READY'
  model.pullRequests.set(number, {
    ...{ number, sha, submission: ++model.submissions, state, priority, noBatch },
    ...{ pendingSince: model.at, flakeReturns: 0, leavingFor: null },
  })
  model.deeds.push({ is: 'submission', number, to: state })
}

type Candidate = { readonly members: PullRequest[]; readonly isComplete: boolean }

/** The groups that may start next, by the position of their first member. */
function candidates(model: Model): Candidate[] {
  const order = inOrder(model)
  const free = order.filter((one, at) => !sharesWith(model, one, order.slice(0, at)))
  return free.map((first) => fill(model, first, order))
}

/** E-30, E-97: scans in order. A batch is complete if it is full or the next cannot join. */
function fill(model: Model, first: PullRequest, order: readonly PullRequest[]): Candidate {
  const at = order.indexOf(first)
  const size = batchSize(model, order)
  const members = [first]
  const skipped = order.slice(0, at)
  for (const each of isAlone(first) ? [] : order.slice(at + 1)) {
    if (members.length === size) break
    if (!sharesWith(model, each, members)) skipped.push(each)
    // E-32: a batch ends at one that is tested alone.
    else if (isAlone(each) || sharesWith(model, each, skipped)) return { members, isComplete: true }
    else members.push(each)
  }
  return { members, isComplete: members.length === size || isAlone(first) }
}

const sharesWith = (model: Model, one: PullRequest, others: readonly PullRequest[]): boolean =>
  others.some((each) => share(model, targetsOf(model, one), targetsOf(model, each)))

/** The end of the longest wait of these. */
const endOfWait = ({ settings }: Model, members: readonly PullRequest[]): number =>
  Math.min(...members.map(({ pendingSince }) => pendingSince)) +
  settings.batchingMaxWaitTimeMinutes * 60_000

/** E-31: whether it starts if a slot is free. */
const isDue = (model: Model, { members, isComplete }: Candidate): boolean =>
  isComplete || endOfWait(model, members) <= model.at

/** The pull requests that start next as one group, if a slot is free; none while batches fill. */
export const nextGroup = (model: Model): PullRequest[] =>
  candidates(model).find((each) => isDue(model, each))?.members ?? []

/** E-8: when the first wait of a batch that could start ends; infinite if none waits. */
export const endOfFirstWait = (model: Model): number =>
  Math.min(...candidates(model).map(({ members }) => endOfWait(model, members)))

/** E-132: whether free slots would start the first one that has a target, or what it waits for. */
export function wouldStartWith(model: Model, targets: readonly ImpactedTargets[]): boolean {
  if (targets.includes('ALL')) return nextGroup(model).length > 0
  const order = inOrder(model)
  return [[], ...targets.flat().map((name) => [name])].some((name) => {
    const one = order.find((each) => share(model, targetsOf(model, each), name))
    return one && isDue(model, fill(model, firstAhead(model, order, one), order))
  })
}

/** The first one that it waits for, by shared targets; itself if there is none. */
function firstAhead(model: Model, order: readonly PullRequest[], one: PullRequest): PullRequest {
  const ahead = order.slice(0, order.indexOf(one)).find((each) => sharesWith(model, one, [each]))
  return ahead ? firstAhead(model, order, ahead) : one
}
