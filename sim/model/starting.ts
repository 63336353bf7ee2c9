/** Chapters "Order and starting", "Urgent pull requests" and "Text conflicts". */

import { move } from './deeds.ts'
import { fail, restartOnTop, restartWithout, takeTargets } from './departures.ts'
import { predecessors, splitOff, startMainRun, targetsOf, tiesOf } from './groups.ts'
import { ridesAlong } from './riding.ts'
import { Group, hasBegun, isAlone, without, type Model, type PullRequest } from './state.ts'
import { byOrder, inOrder, nextGroup } from './waiting.ts'

/** E-24, E-25. */
export const isSlotFree = ({ runs, settings }: Model): boolean =>
  runs.filter(({ of }) => of === null).length < settings.concurrency

/** E-26, E-62: the first group in the line that waits for a run starts. */
export function startInLine(model: Model): void {
  if (model.state === 'PAUSED' || !isSlotFree(model)) return
  const due = model.line.filter(({ phase: { is, notBefore = 0 } }) => {
    return is === 'waiting' && notBefore <= model.at
  })
  for (const group of due) if (startOne(model, group)) return
}

/** True if it has started, or the line has changed. Riders wait, once their conflicts are settled. */
function startOne(model: Model, group: Group): boolean {
  const areNew = takeTargets(model, group)
  if (areNew) restartOnTop(model, group, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  // E-33: a member that must be tested alone by now, and those behind it.
  const alone = group.members.findIndex(isAlone)
  const behind = alone === -1 ? [] : group.members.slice(Math.max(alone, 1))
  if (behind.length > 0) splitOff(model, group, behind)
  else if (!settleConflicts(model, group)) {
    if (ridesAlong(model, group)) return areNew
    startMainRun(model, group)
  }
  return true
}

/** E-31: the next group enters the line. */
export function formGroup(model: Model): void {
  if (model.state !== 'RUNNING' || !isSlotFree(model)) return
  const members = nextGroup(model)
  if (members.length === 0) return
  model.line = [...model.line, new Group(members, targetsOf(model, ...members))]
}

/** E-34 to E-36, E-155: an urgent pull request enters at the head. */
export function letUrgentIn(model: Model): void {
  const [first] = inOrder(model)
  if (first?.priority !== 0 || model.state !== 'RUNNING') return
  const kept = model.line.filter((group) => group.isUrgent || hasBegun(group))
  const ahead = kept.flatMap((group) => [...predecessors(model, group), group])
  const group = new Group([first], targetsOf(model, first), true)
  const others = without(model.line, ...ahead)
  model.line = [...without(model.line, ...others), group, ...others]
  restartOnTop(model, group, 'SKIP_THE_LINE_INTERRUPTED')
}

/** E-66, E-67: settles the first member that conflicts with the tip or with what is below it. */
function settleConflicts(model: Model, group: Group): boolean {
  const below = predecessors(model, group).flatMap(({ members }) => members)
  for (const one of group.members) {
    const pairs = model.conflicts.filter((pair) => pair.includes(one.number))
    const others = pairs.flatMap((pair) => without(pair, one.number))
    // Also if the merged pull request was submitted again.
    const isTip = model.branch.some(({ number }) => number !== null && others.includes(number))
    const [other] = others.flatMap((number) => below.filter((each) => each.number === number))
    below.push(one)
    if (!isTip && !other) continue
    setApart(model, group, one, isTip ? undefined : other)
    return true
  }
  return false
}

/** E-66 to E-69: it leaves its batch, and waits for the other one. Without one it is FAILED. */
export function setApart(model: Model, group: Group, one: PullRequest, other?: PullRequest): void {
  const own = group.members.length > 1 ? leaveBatch(model, group, one) : group
  move(model, [one], 'TESTING')
  if (!other) return fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
  own.tiedTo = tiesOf(model, own)
  own.phase = { is: 'conflicting', with: other }
  move(model, [one], 'PENDING_FAILURE')
  restartWithout(model, [one], 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-69: those that leave one batch keep the pending order among themselves. */
function leaveBatch(model: Model, group: Group, one: PullRequest): Group {
  const from = group.origin ?? group
  return splitOff(model, group, [one], ({ origin, members: [first = one] }) => {
    return origin === from && byOrder(first, one) < 0
  })
}

/** E-68: the predecessor has merged. */
export function settleConflicting(model: Model): void {
  const group = model.line.find(({ phase }) => phase.with?.state === 'MERGED')
  for (const one of group?.members ?? []) fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
}
