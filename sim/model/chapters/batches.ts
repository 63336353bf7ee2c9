/** Chapter "Batches", and how they fill in parallel mode (E-97). */

import type { ImpactedTargets } from '../../../engine/index.ts'
import { isAlone } from '../bisection/survivors.ts'
import { prOf } from '../state/deeds.ts'
import type { Model } from '../state/state.ts'
import { share, targetsOf } from '../state/targets.ts'
import { inOrder } from './order.ts'

/** E-29: the target size. */
const sizeOf = ({ settings }: Model): number => (settings.batch ? settings.batchingMinSize : 1)

/** E-31: since when a pull request has waited long enough. */
function hasWaited(model: Model, number: number): boolean {
  const wait = model.settings.batchingMaxWaitTimeMinutes * 60_000
  return model.at - prOf(model, number).pendingSince >= wait
}

/** E-8: when the first wait of a batch that could start ends; null if none waits. */
export function endOfWait(model: Model): number | null {
  const since = candidates(model)
    .flatMap(({ members }) => members)
    .map((number) => prOf(model, number).pendingSince)
  const wait = model.settings.batchingMaxWaitTimeMinutes * 60_000
  return since.length === 0 ? null : Math.min(...since) + wait
}

/** The pull requests that start next as one group, if a slot is free; none while batches fill. */
export function nextGroup(model: Model): number[] {
  const group = candidates(model).find(
    ({ members, isComplete }) => isComplete || members.some((each) => hasWaited(model, each)),
  )
  return group?.members ?? []
}

/**
 * E-57: whether free slots would start a pull request that shares one of these targets, or the
 * first batch that it waits for. The first one in order that has a target speaks for the others.
 */
export function wouldStartWith(model: Model, targets: readonly ImpactedTargets[]): boolean {
  if (model.settings.mode === 'single' || targets.includes('ALL'))
    return nextGroup(model).length > 0
  const names = new Set(targets.flatMap((each) => (each === 'ALL' ? [] : each)))
  const order = inOrder(model)
  return [[], ...[...names].map((name) => [name])].some((name) => {
    let first = order.find((each) => share(model, targetsOf(model, [each]), name))
    if (first === undefined) return false
    for (let next: number | undefined = first; next !== undefined;) {
      const own: number = next
      first = own
      next = order.slice(0, order.indexOf(own)).find((each) => shares(model, own, [each]))
    }
    const { members, isComplete } = fill(model, order.slice(order.indexOf(first)))
    return isComplete || members.some((each) => hasWaited(model, each))
  })
}

type Candidate = { readonly members: number[]; readonly isComplete: boolean }

/** The groups that may start next, by the position of their first member. */
function candidates(model: Model): Candidate[] {
  const order = inOrder(model)
  return order.flatMap((number, at) => {
    const ahead = order.slice(0, at)
    if (isBehind(model, number, ahead)) return []
    const group = fill(model, order.slice(at))
    // E-32: one that is tested alone starts before those behind it.
    const alone = ahead.filter((each) => isAlone(model, each))
    return group.members.some((each) => isBehind(model, each, alone)) ? [] : [group]
  })
}

/** E-30, E-97: scans in order. A batch is complete if it is full or the next cannot join. */
function fill(model: Model, order: readonly number[]): Candidate {
  const [first = 0] = order
  const size = sizeOf(model)
  const members = [first]
  if (size === 1 || isAlone(model, first)) return { members, isComplete: true }
  const skipped: number[] = []
  for (const number of order.slice(1)) {
    if (members.length === size) break
    // E-31, E-32: the others are batched as if it were not there.
    if (isAlone(model, number)) continue
    if (!shares(model, number, members)) {
      skipped.push(number)
    } else if (isBehind(model, number, skipped)) {
      return { members, isComplete: true }
    } else {
      members.push(number)
    }
  }
  return { members, isComplete: members.length === size }
}

const isBehind = (model: Model, number: number, ahead: readonly number[]): boolean =>
  ahead.some((each) => shares(model, number, [each]))

const shares = (model: Model, number: number, others: readonly number[]): boolean =>
  share(model, targetsOf(model, [number]), targetsOf(model, others))
