/** Chapter "Batches", and how they fill in parallel mode (E-97, E-121). */

import type { ImpactedTargets } from '../../engine/index.ts'
import { share, targetsOf } from './parallel-mode.ts'
import { inOrder } from './pull-request-states.ts'
import type { Model, PullRequest } from './state.ts'

/** E-32, E-87: noBatch, urgent, or sent back by a flake more than 3 times. */
export const isAlone = ({ noBatch, priority, flakeReturns }: PullRequest): boolean =>
  noBatch || priority === 0 || flakeReturns > 3

type Candidate = { readonly members: PullRequest[]; readonly isComplete: boolean }

/** The groups that may start next, by the position of their first member. */
function candidates(model: Model): Candidate[] {
  const order = inOrder(model)
  return order.flatMap((first, at) => {
    const ahead = order.slice(0, at)
    if (sharesWith(model, first, ahead)) return []
    const group = fill(model, first, order.slice(at + 1))
    // E-32, E-121: one that is tested alone starts before those behind it.
    const alone = ahead.filter(isAlone)
    return group.members.some((each) => sharesWith(model, each, alone)) ? [] : [group]
  })
}

/** E-30, E-97: scans in order. A batch is complete if it is full or the next cannot join. */
function fill(model: Model, first: PullRequest, behind: readonly PullRequest[]): Candidate {
  // E-29.
  const size = model.settings.batch ? model.settings.batchingMinSize : 1
  const members = [first]
  const skipped: PullRequest[] = []
  // E-32: the others are batched as if those that are tested alone were not there.
  for (const each of isAlone(first) ? [] : behind.filter((one) => !isAlone(one))) {
    if (members.length === size) break
    if (!sharesWith(model, each, members)) skipped.push(each)
    else if (sharesWith(model, each, skipped)) return { members, isComplete: true }
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

/**
 * E-132: whether free slots would start a pull request that shares one of these targets, or the
 * first batch that it waits for. The first one in order that has a target speaks for the others.
 */
export function wouldStartWith(model: Model, targets: readonly ImpactedTargets[]): boolean {
  if (targets.includes('ALL')) return nextGroup(model).length > 0
  const order = inOrder(model)
  return [[], ...targets.flat().map((name) => [name])].some((name) => {
    const one = order.find((each) => share(model, targetsOf(model, each), name))
    if (!one) return false
    const first = firstAhead(model, order, one)
    return isDue(model, fill(model, first, order.slice(order.indexOf(first) + 1)))
  })
}

/** The first one that it waits for, by shared targets; itself if there is none. */
function firstAhead(model: Model, order: readonly PullRequest[], one: PullRequest): PullRequest {
  const ahead = order.slice(0, order.indexOf(one)).find((each) => sharesWith(model, one, [each]))
  return ahead ? firstAhead(model, order, ahead) : one
}
