/** Chapters "Order and starting" and "Urgent pull requests". */

import type { ReportUnbuildable } from '../../engine/index.ts'
import { belowOf, fail, restart, restartWithout, restartOnTop } from './departures.ts'
import { groupOf, isBeingMerged, predecessors, splitOff, newGroup, startMainRun } from './groups.ts'
import { liveOf, missingOf } from './stacks.ts'
import { cancelRun, move, pairOf, without, hasBegun, isAlone } from './state.ts'
import type { Group, Model, PullRequest } from './state.ts'
import { matters } from './verdicts.ts'
import { byOrder, inOrder, nextGroup } from './waiting.ts'
import { standsOn } from './policy.ts'
import { isStopped } from './tip.ts'

// Chapter "Text conflicts": those that are known, and those that the build of a run finds.

type Obstacle = (one: PullRequest, below: readonly PullRequest[]) => PullRequest | 'tip' | undefined

/** E-266: sets the first member apart that depends on one that is not below it. */
const leaveOutOfStack = (model: Model, group: Group): boolean =>
  setFirstApart(model, group, (one, below) => {
    const missing = missingOf(model, one).flatMap((number) => liveOf(model, number) ?? [])
    return missing.find((each) => !below.includes(each))
  })

/** E-66, E-67: settles the first member that conflicts with the tip or with what is below it. */
const settleConflicts = (model: Model, group: Group): boolean =>
  setFirstApart(model, group, (one, below) => {
    const pairs = model.conflicts.filter((pair) => pair.includes(one.number))
    const others = pairs.flatMap((pair) => without(pair, one.number))
    const [rival] = others.flatMap((number) => below.filter((each) => each.number === number))
    return others.some((number) => model.landed.has(number)) ? 'tip' : rival
  })

function setFirstApart(model: Model, group: Group, obstacle: Obstacle): boolean {
  const below = belowOf(model, group)
  return group.members.some((one) => {
    const found = obstacle(one, below)
    below.push(one)
    if (found !== undefined) setApart(model, group, one, found)
    return found !== undefined
  })
}

/** E-66 to E-69: it leaves its batch, and waits for the other one. For the tip it is FAILED. */
function setApart(model: Model, group: Group, one: PullRequest, other: PullRequest | 'tip'): void {
  const below = [...belowOf(model, group), ...group.members]
  const own = group.members.length > 1 ? leaveBatch(model, group, one) : group
  move(model, [one], 'TESTING')
  if (other === 'tip') return fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
  const waits = missingOf(model, one).includes(other.number) && !below.includes(other)
  own.phase = { is: 'conflicting', ...(!waits && { with: other }) } // E-266.
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

/** E-68: the predecessor has merged. E-266: what it depends on has merged, or is below it. */
export function settleConflicting(model: Model): void {
  for (const group of model.line.filter(({ phase }) => phase.is === 'conflicting')) {
    const [rival, one] = pairOf(group)
    const below = belowOf(model, group).map(({ number }) => number)
    const missing = group.members.flatMap((each) => without(missingOf(model, each), ...below))
    if (rival?.state === 'MERGED' && one) return fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
    if (!rival && missing.length === 0) return restart(model, group, 'MERGE_ITEM_NOW_READY')
  }
}

/** E-215 to E-218. False if the report contradicts what the run holds. */
export function cannotBuild(model: Model, report: ReportUnbuildable): boolean {
  const { testRun, number, conflictsWith } = report
  const run = model.runs.find(({ id }) => id === testRun)
  if (!run) return false
  const held = [...run.base, ...run.tested]
  const at = held.findIndex((each) => each.number === number)
  const one = held[at]
  const other = held.slice(0, at).find((each) => each.number === conflictsWith)
  if (!one || (conflictsWith !== 'tip' && !other)) return false
  const isMoot = run.of && !(model.bisections.includes(run.of) && matters(run.of, run)) // E-85.
  if (isMoot) cancelRun(model, run, 'PREREQUISITE_MERGE_ITEM_FAILED')
  else if (liveOf(model, one.number) !== one || isBeingMerged(model, one)) return false
  else separate(model, one, run.of || !other || other.state === 'MERGED' ? 'tip' : other)
  return true
}

function separate(model: Model, one: PullRequest, other: PullRequest | 'tip'): void {
  const group = groupOf(model, one)
  if (!group) return fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
  restart(model, group, 'PREREQUISITE_MERGE_ITEM_FAILED')
  setApart(model, groupOf(model, one) ?? group, one, other)
}

/** E-24, E-25. */
export const isSlotFree = ({ runs, settings }: Model): boolean =>
  runs.filter(({ of, isOfTip }) => of === null && !isOfTip).length < settings.concurrency

/** E-26, E-62, E-232: the first group in the line that waits for a run starts. */
export function startInLine(model: Model): void {
  if (model.state === 'PAUSED' || !isSlotFree(model)) return
  const isDue = ({ phase: { notBefore = 0 }, isUrgent, members }: Group): boolean =>
    notBefore <= model.at && (!isStopped(model) || isUrgent || members.some((one) => !one.priority))
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
