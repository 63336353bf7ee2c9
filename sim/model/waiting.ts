/** Chapters "Pull request states", "Order and starting" and "Batches": those outside the line. */

import type { Command, ImpactedTargets, SubmitPullRequest } from '../../engine/index.ts'
import { share, targetsOf } from './groups.ts'
import { batchSize, longestWait } from './policy.ts'
import { allLive, canFollow, missingOf, onTopOf, priorityOf, takeTurn } from './stacks.ts'
import { isAlone, move, without, type Model, type PullRequest } from './state.ts'

/** Those that are in the queue, but neither in the line nor in a bisection, by turn. */
export function waiting(model: Model): PullRequest[] {
  const bisected = model.bisections.flatMap(({ open, proven }) => [...open, ...proven])
  const inLine = model.line.flatMap(({ members }) => members)
  return without(allLive(model), ...inLine, ...bisected).sort((a, b) => a.turn - b.turn)
}

/** E-22: of two that wait, the one that starts first comes first. */
export const byOrder = (a: PullRequest, b: PullRequest): number =>
  a.priority - b.priority || a.turn - b.turn

/** E-22: the PENDING ones that have not entered the line, in order. */
export const inOrder = (model: Model): PullRequest[] =>
  waiting(model)
    .filter(({ state }) => state === 'PENDING')
    .toSorted(byOrder)

/** E-18, apart from the state of the queue. */
const isEligible = (model: Model, one: Pick<PullRequest, 'number' | 'dependsOn'>): boolean =>
  !model.objected.has(one.number) &&
  (model.settings.mode === 'single' || model.targets.has(one.number)) &&
  canFollow(model, one)

/** E-18, E-19, E-101, E-261: after a change, those that wait become PENDING or NOT_READY. */
export function review(model: Model): void {
  const all = waiting(model)
  const changed = all.find((one) => {
    const isReady = isEligible(model, one)
    if (one.state === 'PENDING') return !isReady
    return isReady && model.state === 'RUNNING'
  })
  if (!changed) return
  if (changed.state === 'PENDING') move(model, [changed], 'NOT_READY')
  else {
    takeTurn(model, changed, (one) => all.includes(one))
    move(model, [changed], 'PENDING', 'MERGE_ITEM_NOW_READY')
  }
  review(model)
}

/** E-16, E-17, E-185: what is submitted enters the order. */
export function submitNew(model: Model, submitted: SubmitPullRequest): PullRequest {
  const { number, sha, priority = 100, noBatch = false } = submitted
  const dependsOn = [...new Set(submitted.dependsOn)]
  const isReady = model.state === 'RUNNING' && isEligible(model, { number, dependsOn })
  const state = isReady ? 'PENDING' : 'NOT_READY'
  const submission = ++model.submissions
  const one: PullRequest = {
    number,
    sha,
    submission,
    turn: submission,
    dependsOn,
    state,
    noBatch,
    priority: priorityOf(model, number, priority),
    submittedAt: model.at,
    since: model.at,
    flakeReturns: 0,
    leavingFor: null,
    leftWith: null,
  }
  model.pullRequests.set(number, one)
  model.effects.push({ is: 'submission', number, to: state })
  return one
}

/** E-211: nobody in the queue conflicts with them as text. E-268: nobody depends on them. */
export function forget(model: Model, { numbers }: Extract<Command, { type: 'forget' }>): void {
  const { pullRequests, targets, landed, objected, reported } = model
  const live = allLive(model)
  const begunAt = without(live, ...waiting(model)).map(({ submittedAt }) => submittedAt)
  for (const number of numbers.filter((each) => onTopOf(model, each).length === 0)) {
    const one = pullRequests.get(number)
    if (one && (live.includes(one) || one.since >= Math.min(...begunAt))) continue
    if (!one && !targets.has(number) && !reported.has(number)) continue
    const pairs = model.conflicts.filter((pair) => pair.includes(number))
    if (pairs.some((pair) => live.some((each) => pair.includes(each.number)))) continue
    model.conflicts = without(model.conflicts, ...pairs)
    for (const known of [pullRequests, targets, landed, objected, reported]) known.delete(number)
    model.effects.push({ is: 'forget', number })
    model.green = without(model.green, number)
  }
}

type Candidate = { readonly members: PullRequest[]; readonly isComplete: boolean }

/** The groups that may start next, by the position of their first member. */
function candidates(model: Model): Candidate[] {
  const order = inOrder(model)
  const free = order.filter((one, at) => !waitsFor(model, one, order.slice(0, at)))
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
    else if (isAlone(each) || waitsFor(model, each, skipped)) return { members, isComplete: true }
    else members.push(each)
  }
  return { members, isComplete: members.length === size || isAlone(first) }
}

const sharesWith = (model: Model, one: PullRequest, others: readonly PullRequest[]): boolean =>
  others.some((each) => share(model, targetsOf(model, one), targetsOf(model, each)))

/** E-97, E-269: whether it starts after one of these, or with it. */
const waitsFor = (model: Model, one: PullRequest, others: readonly PullRequest[]): boolean =>
  sharesWith(model, one, others) ||
  others.some(({ number }) => missingOf(model, one).includes(number))

/** The end of the longest wait of these. */
const endOfWait = (model: Model, members: readonly PullRequest[]): number =>
  Math.min(...members.map(({ since }) => since)) + longestWait(model) * 60_000

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

/** The first one that it waits for; itself if there is none. */
function firstAhead(model: Model, order: readonly PullRequest[], one: PullRequest): PullRequest {
  const ahead = order.slice(0, order.indexOf(one)).find((each) => waitsFor(model, one, [each]))
  return ahead ? firstAhead(model, order, ahead) : one
}
