/** Chapter "Stacks": what depends on what, and what follows for order, readiness and targets. */

import type { ImpactedTargets } from '../../engine/index.ts'
import { union, isWider } from './groups.ts'
import type { Group, Model, PullRequest } from './state.ts'

type Which = (one: PullRequest) => boolean

const isLive = ({ state }: PullRequest) => !['MERGED', 'FAILED', 'CANCELLED'].includes(state)

/** The pull request of this number that is in the queue. */
export function liveOf(model: Model, number: number): PullRequest | undefined {
  const latest = model.pullRequests.get(number)
  return latest && isLive(latest) ? latest : undefined
}

/** Those that are in the queue. */
export const allLive = (model: Model): PullRequest[] =>
  [...model.pullRequests.values()].filter(isLive)

/** E-261: those that it depends on and that the branch does not have yet. */
export const missingOf = (model: Model, { dependsOn }: Pick<PullRequest, 'dependsOn'>): number[] =>
  dependsOn.filter((number) => !model.landed.has(number))

/** E-261. */
export const canFollow = (model: Model, one: Pick<PullRequest, 'dependsOn'>): boolean =>
  missingOf(model, one).every((it) => (liveOf(model, it)?.state ?? 'NOT_READY') !== 'NOT_READY')

/** Those in the queue that depend on it directly, by submission. */
export const onTopOf = (model: Model, number: number): PullRequest[] =>
  allLive(model)
    .filter(({ dependsOn }) => dependsOn.includes(number))
    .toSorted((a, b) => a.submission - b.submission)

/** E-264, E-300: those that depend on it, directly or through others that have not landed, the topmost first. */
export function allOnTopOf(model: Model, { number }: PullRequest): PullRequest[] {
  const on = (below: number) => (model.landed.has(below) ? [] : onTopOf(model, below))
  const found = on(number)
  for (const one of found) found.push(...on(one.number)) // Once behind each that it depends on.
  return [...new Set(found.toReversed())]
}

/** E-260: whether it would depend on itself. */
export function isCycle(model: Model, number: number, dependsOn?: readonly number[]): boolean {
  const below = new Set(dependsOn?.filter((each) => each === number || !model.landed.has(each)))
  for (const each of below) {
    const live = liveOf(model, each)
    if (live && each !== number) for (const next of missingOf(model, live)) below.add(next)
  }
  return below.has(number)
}

/** E-263: the priority of one that waits, with those that depend on it. */
export const priorityOf = (model: Model, number: number, own: number): number =>
  Math.min(own, ...onTopOf(model, number).map(({ priority }) => priority))

/** E-263: what waits below it becomes as urgent. */
export function raise(model: Model, one: PullRequest, isWaiting: Which): void {
  for (const number of missingOf(model, one)) {
    const below = liveOf(model, number)
    if (!below || !isWaiting(below) || below.priority <= one.priority) continue
    below.priority = one.priority
    raise(model, below, isWaiting)
  }
}

/** E-262: when it becomes PENDING. */
export function takeTurn(model: Model, one: PullRequest, isWaiting: Which): void {
  const below = missingOf(model, one).flatMap((number) => liveOf(model, number) ?? [])
  if (below.some((each) => isWaiting(each) && each.turn > one.turn)) one.turn = ++model.submissions
}

/** E-267: its targets and those of what it depends on; the same list if that is no more. */
export function withBelow(model: Model, one: PullRequest): ImpactedTargets {
  const below = missingOf(model, one).map((number) => model.targets.get(number) ?? [])
  const own = model.targets.get(one.number) ?? []
  return below.reduce((sum, each) => (isWider(each, sum) ? union(sum, each) : sum), own)
}

/** E-267: gives targets to these and all on top, the latest first. `changed` is told of each that has more by now. */
export function shareTargets(
  model: Model,
  open: PullRequest[],
  changed: (one: PullRequest) => void,
): void {
  for (let one = open.pop(); one; one = open.pop()) {
    const [own, all] = [model.targets.get(one.number), withBelow(model, one)]
    if (own === undefined || all === own) continue
    model.targets.set(one.number, all)
    changed(one)
    open.push(...onTopOf(model, one.number))
  }
}

/** E-265: a member depends on one that is in another group. */
export const isOnTopOfStack = (model: Model, { members }: Group): boolean =>
  members.some((one) =>
    missingOf(model, one).some((number) => !members.some((each) => each.number === number)),
  )
