/** Chapter "Batches", and how they fill in parallel mode (E-97). */

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

/** E-8: when the wait of the longest waiting pull request ends; null if none waits. */
export function endOfWait(model: Model): number | null {
  const since = inOrder(model).map((number) => prOf(model, number).pendingSince)
  const wait = model.settings.batchingMaxWaitTimeMinutes * 60_000
  return since.length === 0 ? null : Math.min(...since) + wait
}

/** The pull requests that start next as one group, if a slot is free; none while batches fill. */
export function nextGroup(model: Model): number[] {
  const order = inOrder(model)
  for (const [at, number] of order.entries()) {
    if (isBehind(model, number, order.slice(0, at))) continue
    const { members, isComplete } = fill(model, order.slice(at))
    const isDue = members.some((each) => hasWaited(model, each))
    if (isComplete || isDue) return members
  }
  return []
}

/** E-30, E-97: scans in order. A batch is complete if it is full or the next cannot join. */
function fill(model: Model, order: readonly number[]): { members: number[]; isComplete: boolean } {
  const [first = 0] = order
  const size = sizeOf(model)
  const members = [first]
  if (size === 1 || isAlone(model, first)) return { members, isComplete: true }
  for (const [at, number] of order.entries()) {
    if (members.length === size) break
    if (at === 0 || !shares(model, number, members)) continue
    const skipped = order.slice(0, at).filter((each) => !members.includes(each))
    if (isAlone(model, number) || isBehind(model, number, skipped)) {
      return { members, isComplete: true }
    }
    members.push(number)
  }
  return { members, isComplete: members.length === size }
}

const isBehind = (model: Model, number: number, ahead: readonly number[]): boolean =>
  ahead.some((each) => shares(model, number, [each]))

const shares = (model: Model, number: number, others: readonly number[]): boolean =>
  share(model, targetsOf(model, [number]), targetsOf(model, others))
