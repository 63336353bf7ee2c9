/** Chapters "Order and starting", "Text conflicts" and "Urgent pull requests". */

import { isAlone } from '../bisection/survivors.ts'
import { hasBegun, membersBelow, predecessors, tiedByUploads } from '../line/predecessors.ts'
import { restartOnTop, restartWithout, splitOff, takeTargets } from '../line/restarts.ts'
import { move, prOf } from '../state/deeds.ts'
import { Group } from '../state/state.ts'
import type { Model } from '../state/state.ts'
import { targetsOf } from '../state/targets.ts'
import { nextGroup } from './batches.ts'
import { fail } from './departures.ts'
import { inOrder } from './order.ts'
import { startMainRun } from './runs.ts'

/** E-24, E-25. */
export function isSlotFree(model: Model): boolean {
  return model.mainRuns.length < model.settings.concurrency
}

/** E-26, E-27: groups in the line start first. True if the line has changed. */
export function startInLine(model: Model): boolean {
  if (model.state === 'PAUSED') return false
  for (const group of [...model.line]) {
    const { phase } = group
    const isDue = phase.is === 'waiting' && (phase.retry?.notBefore ?? 0) <= model.at
    if (isDue && isSlotFree(model) && startOrChange(model, group)) return true
  }
  return false
}

function startOrChange(model: Model, group: Group): boolean {
  const areNew = takeTargets(model, group)
  if (areNew) restartOnTop(model, group, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  const isHandled = splitAlone(model, group) || settleConflicts(model, group)
  if (!isHandled) startMainRun(model, group)
  return areNew || isHandled
}

/** E-33: a member that must be tested alone by now, and those behind it. */
function splitAlone(model: Model, group: Group): boolean {
  const alone = group.members.findIndex((number) => isAlone(model, number))
  const behind = alone === -1 ? [] : group.members.slice(Math.max(alone, 1))
  if (behind.length > 0) splitOff(model, group, behind)
  return behind.length > 0
}

/** E-66, E-67, E-69: a member that conflicts with the tip or with what is below it. */
function settleConflicts(model: Model, group: Group): boolean {
  const below = membersBelow(model, group)
  for (const number of group.members) {
    const others = model.conflicts.get(number) ?? []
    const isTip = others.some((other) => hasMerged(model, other))
    const other = others.find((each) => below.includes(each))
    below.push(number)
    if (!isTip && other === undefined) continue
    const own = group.members.length > 1 ? leaveBatch(model, group, number) : group
    move(model, [number], 'TESTING', null)
    if (isTip || other === undefined) {
      fail(model, number, 'START_TEST_RUN_MERGE_CONFLICT')
      return true
    }
    own.tiedTo = tiedByUploads(model, own)
    own.phase = { is: 'conflicting', with: other }
    move(model, [number], 'PENDING_FAILURE', null)
    restartWithout(model, [prOf(model, number)], 'PREREQUISITE_MERGE_ITEM_FAILED')
    return true
  }
  return false
}

/** E-69: those that leave one batch keep the pending order among themselves. */
function leaveBatch(model: Model, group: Group, number: number): Group {
  const own = prOf(model, number)
  return splitOff(model, group, [number], ({ origin, members: [first = 0] }) => {
    if (origin !== (group.origin ?? group)) return false
    const other = prOf(model, first)
    return (other.priority - own.priority || other.content - own.content) < 0
  })
}

/** E-66: also if the merged pull request was submitted again. */
function hasMerged(model: Model, number: number): boolean {
  const pullRequest = model.pullRequests.get(number)
  return pullRequest?.state === 'MERGED' || pullRequest?.mergedBefore === true
}

/** E-68: the predecessor has merged. */
export function settleConflicting(model: Model): boolean {
  for (const { phase, members } of model.line) {
    if (phase.is !== 'conflicting' || prOf(model, phase.with).state !== 'MERGED') continue
    fail(model, members[0] ?? 0, 'START_TEST_RUN_MERGE_CONFLICT')
    return true
  }
  return false
}

/** E-31: the next group enters the line. */
export function formGroup(model: Model): boolean {
  if (model.state !== 'RUNNING' || !isSlotFree(model)) return false
  const members = nextGroup(model)
  if (members.length === 0) return false
  model.line.push(new Group(members, targetsOf(model, members)))
  return true
}

/** E-34 to E-36: an urgent pull request enters at the head. */
export function letUrgentIn(model: Model): boolean {
  const [first] = inOrder(model)
  if (first === undefined || prOf(model, first).priority !== 0) return false
  if (model.state !== 'RUNNING') return false
  const kept = model.line.filter((group) => group.isUrgent || hasBegun(group))
  const ahead = new Set(kept.flatMap((group) => [...predecessors(model, group), group]))
  const group = new Group([first], targetsOf(model, [first]), true)
  const staying = model.line.filter((each) => ahead.has(each))
  model.line = [...staying, group, ...model.line.filter((each) => !ahead.has(each))]
  restartOnTop(model, group, 'SKIP_THE_LINE_INTERRUPTED')
  return true
}
