/** Chapter "Survivors and members that leave": those that wait for others (E-212 to E-214). */

import { mayRide, ridersAtEnd } from './riders.ts'
import type { Group, Model } from './state.ts'
import { batchSize, inOrder } from './waiting.ts'

/** E-212: it waits, although a slot is free, for the run of the group behind or for company. */
export function ridesAlong(model: Model, group: Group): boolean {
  const [first] = group.members
  if (!mayRide(model, group) || !first) return false
  const behind = model.line[model.line.indexOf(group) + 1]
  const isSomeoneNext = model.state === 'RUNNING' && inOrder(model).length > 0
  if (!behind) return isSomeoneNext || model.at < endOfCompanyWait(model)
  const { is, run } = behind.phase
  if (is === 'testing') return run?.contents.includes(first) === true
  return is === 'waiting' && !run
}

/** E-213: until when those at the end of the line wait for others; -Infinity if they do not. */
export function endOfCompanyWait(model: Model): number {
  const [first, ...others] = ridersAtEnd(model).flatMap(({ members }) => members)
  const isFull = others.length + 1 >= batchSize(model)
  if (!first || isFull || model.bisections.length === 0) return -Infinity
  return first.pendingSince + model.settings.batchingMaxWaitTimeMinutes * 60_000
}
