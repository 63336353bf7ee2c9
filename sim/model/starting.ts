/** Chapters "Order and starting" and "Urgent pull requests". */

import { leaveOutOfStack, settleConflicts } from './conflicts.ts'
import { restartOnTop } from './departures.ts'
import { newGroup, predecessors, splitOff, startMainRun } from './groups.ts'
import { standsOn } from './policy.ts'
import { hasBegun, isAlone, without, type Group, type Model } from './state.ts'
import { missingOf } from './stacks.ts'
import { isStopped } from './tip.ts'
import { inOrder, nextGroup } from './waiting.ts'

/** E-24, E-25. */
export const isSlotFree = ({ runs, settings }: Model): boolean =>
  runs.filter(({ of, isOfTip }) => of === null && !isOfTip).length < settings.concurrency

/** E-26, E-62: the first group in the line that waits for a run starts. */
export function startInLine(model: Model): void {
  if (model.state === 'PAUSED' || !isSlotFree(model)) return
  const isDue = ({ phase: { notBefore = 0 }, isUrgent }: Group): boolean =>
    notBefore <= model.at && (isUrgent || !isStopped(model)) // E-233.
  model.line
    .filter(({ phase: { is } }) => is === 'waiting')
    .some((group) => leaveOutOfStack(model, group) || (isDue(group) && startOne(model, group)))
}

/** True if it has started, or the line has changed. */
function startOne(model: Model, group: Group): boolean {
  // E-33: a member that must be tested alone by now, and those behind it.
  const alone = group.members.findIndex(isAlone)
  const behind = alone === -1 ? [] : group.members.slice(Math.max(alone, 1))
  if (behind.length > 0) splitOff(model, group, behind)
  if (behind.length > 0 || settleConflicts(model, group)) return true
  const ground = standsOn(model, group)
  if (ground !== 'nothing') startMainRun(model, group, ground === 'the tip')
  return ground !== 'nothing'
}

/** E-31: the next group enters the line. */
export function formGroup(model: Model): void {
  if (model.state !== 'RUNNING' || isStopped(model) || !isSlotFree(model)) return
  const members = nextGroup(model)
  if (members.length === 0) return
  model.line = [...model.line, newGroup(model, members)]
}

/** E-34 to E-36, E-155: an urgent pull request enters at the head. */
export function letUrgentIn(model: Model): void {
  const [first] = inOrder(model)
  if (first?.priority !== 0 || model.state !== 'RUNNING') return
  const below = missingOf(model, first)
  const isBelow = ({ members }: Group) => members.some(({ number }) => below.includes(number)) // E-263.
  const kept = model.line.filter((group) => group.isUrgent || isBelow(group) || hasBegun(group))
  const ahead = kept.flatMap((group) => [...predecessors(model, group), group])
  const group = { ...newGroup(model, [first]), isUrgent: true }
  const others = without(model.line, ...ahead)
  model.line = [...without(model.line, ...others), group, ...others]
  restartOnTop(model, group, 'SKIP_THE_LINE_INTERRUPTED')
}
