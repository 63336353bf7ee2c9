/** Chapters "Order and starting" and "Urgent pull requests". */

import { isAlone, nextGroup } from './batches.ts'
import { hasBegun, predecessors, splitOff, startMainRun } from './groups.ts'
import { targetsOf } from './parallel-mode.ts'
import { inOrder } from './pull-request-states.ts'
import { restartOnTop, takeTargets } from './restarts.ts'
import { Group } from './state.ts'
import type { Model } from './state.ts'
import { settleConflicts } from './text-conflicts.ts'

/** E-24, E-25. */
export const isSlotFree = ({ runs, settings }: Model): boolean =>
  runs.filter(({ of }) => of === null).length < settings.concurrency

/** E-26, E-27, E-62: groups in the line start first. True if the line has changed. */
export function startInLine(model: Model): boolean {
  if (model.state === 'PAUSED') return false
  for (const group of model.line) {
    const { is, notBefore = 0 } = group.phase
    const mayStart = is === 'waiting' && notBefore <= model.at && isSlotFree(model)
    if (mayStart && startOrChange(model, group)) return true
  }
  return false
}

function startOrChange(model: Model, group: Group): boolean {
  const areNew = takeTargets(model, group)
  if (areNew) restartOnTop(model, group, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  if (splitAlone(model, group) || settleConflicts(model, group)) return true
  startMainRun(model, group)
  return areNew
}

/** E-33: a member that must be tested alone by now, and those behind it. */
function splitAlone(model: Model, group: Group): boolean {
  const alone = group.members.findIndex(isAlone)
  const behind = alone === -1 ? [] : group.members.slice(Math.max(alone, 1))
  if (behind.length > 0) splitOff(model, group, behind)
  return behind.length > 0
}

/** E-31: the next group enters the line. */
export function formGroup(model: Model): boolean {
  if (model.state !== 'RUNNING' || !isSlotFree(model)) return false
  const members = nextGroup(model)
  if (members.length === 0) return false
  model.line = [...model.line, new Group(members, targetsOf(model, ...members))]
  return true
}

/** E-34 to E-36, E-155: an urgent pull request enters at the head. */
export function letUrgentIn(model: Model): boolean {
  const [first] = inOrder(model)
  if (first?.priority !== 0 || model.state !== 'RUNNING') return false
  const kept = model.line.filter((group) => group.isUrgent || hasBegun(group))
  const ahead = kept.flatMap((group) => [...predecessors(model, group), group])
  const group = new Group([first], targetsOf(model, first), true)
  const staying = model.line.filter((each) => ahead.includes(each))
  model.line = [...staying, group, ...model.line.filter((each) => !ahead.includes(each))]
  restartOnTop(model, group, 'SKIP_THE_LINE_INTERRUPTED')
  return true
}
