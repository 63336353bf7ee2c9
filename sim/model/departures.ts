/** Chapter "Departures, restarts and the target branch". */

import type { ImpactedTargets, Reason, FailureReason } from '../../engine/index.ts'
import {
  groupOf,
  newGroup,
  predecessors,
  share,
  isLeftOut,
  isWider,
  isYetToStart,
  leaveGroup,
  splitOff,
  targetsOf,
  union,
} from './groups.ts'
import { liveOf, missingOf, allOnTopOf } from './stacks.ts'
import { cancelRun, move, pairOf, without, hasBegun } from './state.ts'
import type { Bisection, Group, Model, Phase, PullRequest, Content, Evidence } from './state.ts'

// Chapter "Survivors and members that leave".

/** E-88: proven members become a group that has passed, at the head, behind those before them. */
export function mergeSurvivors(model: Model): void {
  const bisection = model.bisections.find((each) => mayMerge(model, each))
  if (!bisection) return
  const { proven, proofs, targets } = bisection
  const run = proven.map((each) => proofs.get(each)).at(-1)
  const phase: Phase = { is: 'passed', ...(run && { run }) }
  const group = { ...newGroup(model, proven), targets, phase, provenBy: bisection }
  const at = model.line.findLastIndex(({ provenBy }) => provenBy === bisection) + 1
  model.line = model.line.toSpliced(at, 0, group)
  bisection.inLine = [...bisection.inLine, ...proven]
  bisection.proven = []
}

function mayMerge(model: Model, bisection: Bisection): boolean {
  const { proven, isTipMoved, inLine, rank, targets } = bisection
  if (proven.length === 0 || isTipMoved) return false
  if (!inLine.every((each) => groupOf(model, each)?.provenBy === bisection)) return false
  if (model.line.some((group) => standsOnTip(model, group, bisection))) return false
  return !waitsBehind(model, targets, rank)
}

/** E-52, E-88: an earlier bisection shares a target, and merging is not optimistic. */
export const waitsBehind = (model: Model, targets: ImpactedTargets, rank = Infinity): boolean =>
  !model.settings.canOptimisticallyMerge &&
  model.bisections.some((each) => each.rank < rank && share(model, each.targets, targets))

/** E-88, E-153, E-184: a group that shares a target has a run or a verdict of its own. E-291: or is urgent. */
function standsOnTip(model: Model, group: Group, bisection: Bisection): boolean {
  const { run, is } = group.phase
  const isNext = group.isUrgent && is === 'waiting'
  if (group.provenBy === bisection || (!run && is !== 'passed' && !isNext)) return false
  const all = [group, ...predecessors(model, group)]
  return all.some((each) => share(model, each.targets, bisection.targets))
}

/** E-89: they return as one group behind the line. */
export function returnToLine(model: Model, all: readonly PullRequest[], reason: Reason): void {
  if (all.length === 0) return
  model.line = [...model.line, newGroup(model, all)]
  move(model, all, 'PENDING', reason)
}

/** E-90, E-91: a member leaves every bisection. E-290: who depends on one that is not in it any more, too. */
function leaveBisections(model: Model, one: PullRequest, cause: Reason): void {
  for (const bisection of model.bisections.filter((each) => membersOf(each).includes(one))) {
    leave(model, bisection, one, cause)
    const back: PullRequest[] = []
    for (const each of [...bisection.proven, ...bisection.open]) {
      const below = missingOf(model, each).flatMap((number) => liveOf(model, number) ?? [])
      if (without(below, ...membersOf(bisection)).length === 0) continue
      leave(model, bisection, each, cause)
      back.push(each)
    }
    returnToLine(model, back, cause)
  }
}

const membersOf = ({ inLine, proven, open }: Bisection) => [...inLine, ...proven, ...open]

function leave(model: Model, bisection: Bisection, one: PullRequest, cause: Reason): void {
  const { inLine, proven, proofs, open, retries } = bisection
  for (const run of model.runs) {
    if (run.of === bisection && run.contents.includes(one)) cancelRun(model, run, cause)
  }
  bisection.retries = retries.filter(({ run }) => !run.contents.includes(one))
  const isProvenWith = (each: PullRequest) => proofs.get(each)?.contents.includes(one) === true
  const reopened = without(proven, one).filter(isProvenWith)
  bisection.proven = without(proven, one, ...reopened)
  bisection.open = [...reopened, ...without(open, one)]
  const cut = inLine.findIndex((each) => !proofs.has(each) || isProvenWith(each))
  if (inLine.includes(one)) bisection.inLine = inLine.slice(0, cut)
  bisection.hasLost = true
  move(model, reopened, 'PENDING', cause)
  move(model, reopened, 'TESTING')
}

/** E-44, E-60: it is FAILED, because of a run or of none, and the others continue without it. */
export function fail(model: Model, one: PullRequest, reason: FailureReason, of: Evidence = {}) {
  if (of.failure) model.judged.push('bad')
  move(model, [one], 'FAILED', reason, of)
  takeOut(model, one, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-105. */
export function cancel(model: Model, one: PullRequest, reason: Reason): void {
  move(model, [one], 'CANCELLED', reason)
  takeOut(model, one, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
}

/** E-46, E-221: cancels that were stored during a merge take effect. */
export function cancelStored(model: Model, { members }: Group): void {
  for (const each of members) if (each.leavingFor) cancel(model, each, each.leavingFor)
}

function takeOut(model: Model, gone: PullRequest, cause: Reason): void {
  leaveGroup(model, gone, cause)
  for (const one of allOnTopOf(model, gone)) {
    one.leftWith = gone.number // E-264.
    cancel(model, one, cause)
  }
  restartWithout(model, [gone], cause)
  leaveBisections(model, gone, cause)
}

/** A commit reaches the branch; null is a push from outside. `group`: that which merges it, or would be next. */
export function commit(model: Model, one: PullRequest | null, group?: Group): void {
  const content = one ?? { number: null }
  for (const bisection of model.bisections) {
    if (bisection.inLine[0] === content && !bisection.isTipMoved) {
      bisection.inLine = bisection.inLine.slice(1)
      bisection.branch = [...bisection.branch, content]
      bisection.tip = model.branch.length + 1 // E-72, E-152: without what merged beside it.
    } else if (!group || share(model, group.targets, bisection.targets)) {
      bisection.isTipMoved = true // E-153.
    }
  }
  for (const each of model.line) {
    if (!group || share(model, group.targets, each.targets)) overtake(each, content)
  }
  model.branch = [...model.branch, content]
  model.pushedAt = pushedAtBy(model, group)
  model.landedWith.set(content, group?.targets ?? 'ALL')
  model.green = [] // E-41.
  for (const { phase } of group ? [] : model.line) if (phase.merging) phase.isPushedTo = true // E-208.
  model.landed.add(content.number)
  model.effects.push({ is: 'commit', ...content })
}

const pushedAtBy = (model: Model, by?: Group) =>
  by?.phase.is === 'passed' && by.phase.run ? model.pushedAt : model.branch.length // E-230.

/** E-193: a run that those ahead are not part of has to hold what they merge. */
function overtake(group: Group, content: Content): void {
  const { run, isAside } = group.phase
  const isApart = run?.isScreening === true || isAside === true
  if (isApart && !run?.contents.includes(content)) group.isOvertaken = true
}

/** E-109. */
export function push(model: Model): void {
  commit(model, null)
  for (const each of model.line) restart(model, each, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}

/** E-110. */
export function mergeByHand(model: Model, one: PullRequest): void {
  const group = groupOf(model, one)
  const isFirst = group?.members[0] === one && !isLeftOut(group)
  const next = isFirst && predecessors(model, group).length === 0 ? group : undefined
  commit(model, one, next)
  move(model, [one], 'MERGED', 'MANUAL_MERGE')
  leaveGroup(model, one, 'MANUAL_MERGE')
  if (group && !group.phase.merging) cancelStored(model, group)
  leaveBisections(model, one, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  for (const each of next ? [] : model.line) restart(model, each, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}

/** E-27: it keeps its position and its members, and waits. `as`: it waits to repeat a lost run. */
export function restart(model: Model, group: Group, reason: Reason, as?: Phase): void {
  const { is, run, isAside } = group.phase
  if (group.phase.merging) return restartRest(model, group, reason)
  if (is === 'waiting' && !run) return
  if (is === 'testing' && run && model.runs.includes(run)) cancelRun(model, run, reason)
  group.phase = as ?? { is: 'waiting' }
  group.tiedTo.clear()
  for (const each of group.members) group.provenBy?.proofs.delete(each) // E-90: it is tested again.
  group.provenBy = null
  move(model, group.members, 'PENDING', reason)
  group.targets = targetsOf(model, ...group.members)
  if (isAside) moveTo(model, group, model.line.length) // E-194.
  if (is === 'conflicting' || isPassed(model, group)) letPass(model, group, reason) // E-67.
}

/** E-47: a member that the host merges is not touched; the others restart behind it. */
function restartRest(model: Model, group: Group, reason: Reason): void {
  const rest = without(group.members, ...(group.phase.merging ?? []))
  if (rest.length === 0) return
  const behind = splitOff(model, group, rest)
  move(model, rest, 'PENDING', reason)
  if (isPassed(model, behind)) letPass(model, behind, reason)
}

/** E-95, E-292: one behind it merges already, and shares a target. */
const isPassed = (model: Model, group: Group): boolean =>
  model.line
    .slice(model.line.indexOf(group))
    .some((each) => hasBegun(each) && share(model, each.targets, group.targets))

/** E-143, E-153: with more targets it waits for those that were tested without it. */
export function followUpload(model: Model, one: PullRequest, uploaded: ImpactedTargets): void {
  const bisection = model.bisections.find((each) => [...each.open, ...each.proven].includes(one))
  if (bisection && isWider(uploaded, bisection.targets)) {
    bisection.targets = union(bisection.targets, uploaded)
    const beside = without(model.branch, ...bisection.branch)
    if (isAnySharing(model, beside, bisection.targets)) bisection.isTipMoved = true
  }
  const group = groupOf(model, one)
  if (!group) return
  const [before, now] = [group.targets, targetsOf(model, ...group.members)]
  group.targets = isYetToStart(group) ? now : union(before, now)
  if (group.phase.is !== 'conflicting' && isWider(now, before)) waitForShared(model, group)
}

const isAnySharing = (model: Model, landed: readonly Content[], targets: ImpactedTargets) =>
  landed.some((each) => share(model, model.landedWith.get(each) ?? [], targets))

function waitForShared(model: Model, group: Group): void {
  const reason = 'TESTS_RESTARTED_BY_API_REQUEST'
  const begun = hasBegun(group)
  const isOnTop = (other: Group): boolean =>
    !hasBegun(other) && group.members.some((each) => other.phase.run?.contents.includes(each))
  const isWithout = (other: Group): boolean =>
    isTestedOnAll(other) && !isOnTop(other) && predecessors(model, other, true).includes(group)
  const last = begun ? undefined : model.line.findLast(isWithout)
  if (last) moveTo(model, group, model.line.indexOf(last))
  if (begun) goAhead(model, group)
  for (const other of begun ? without(model.line, group) : model.line) {
    const { tip, contents = [] } = other.phase.run ?? {}
    const at = contents.findIndex((each) => group.members.some((one) => one === each))
    const beside = without(model.branch.slice(tip), ...contents.slice(0, at))
    const isStale = last !== undefined || isAnySharing(model, beside, group.targets)
    if (at !== -1 && isStale) restart(model, other, reason)
  }
  const isOnAll = without(belowOf(model, group), ...(group.phase.run?.contents ?? [])).length === 0
  if (isTestedOnAll(group) && !isOnAll) restart(model, group, reason)
  restartOnTop(model, group, reason)
}

/** Its run is to hold all below it. A screened one is tested once more, on top of what is below it then. */
function isTestedOnAll(group: Group): boolean {
  const { is, run } = group.phase
  return !isYetToStart(group) && !isLeftOut(group) && !(is === 'testing' && run?.isScreening)
}

/** E-95: those that share a target with it wait for it, if they still can. */
function goAhead(model: Model, group: Group): void {
  const ahead = model.line.slice(0, model.line.indexOf(group))
  const canWait = (each: Group): boolean => !hasBegun(each) && !isLeftOut(each)
  const at = ahead.findIndex((each) => canWait(each) && share(model, each.targets, group.targets))
  if (at !== -1) moveTo(model, group, at)
}

function moveTo(model: Model, group: Group, at: number): void {
  model.line = without(model.line, group).toSpliced(at, 0, group)
}

/** E-95: groups whose merging has begun go ahead of it. */
function letPass(model: Model, below: Group, reason: Reason): void {
  const behind = model.line.slice(model.line.indexOf(below))
  const begun = behind.filter(hasBegun)
  model.line = [...without(model.line, ...behind), ...begun, ...without(behind, ...begun)]
  restartOnTop(model, below, reason)
}

export const belowOf = (model: Model, group: Group): PullRequest[] =>
  predecessors(model, group).flatMap(({ members }) => members)

/** E-95: groups that depend on it and do not contain it, or what is below it, restart. */
export function restartOnTop(model: Model, below: Group, reason: Reason): void {
  const needed = [...belowOf(model, below), ...below.members]
  for (const group of model.line) {
    const { run, is, with: rival } = group.phase
    const isWithout = !needed.every((each) => run?.contents.includes(each))
    const isStale = is === 'conflicting' ? below.members.some((one) => one === rival) : isWithout
    if (isStale && predecessors(model, group).includes(below)) restart(model, group, reason)
  }
}

/** E-55, E-105: groups whose run or verdict contained one of these restart without it. */
export function restartWithout(
  model: Model,
  gone: readonly PullRequest[],
  reason: Reason,
  except?: Group,
): void {
  for (const group of model.line.filter((each) => each !== except)) {
    const needed = new Set([...(group.phase.run?.contents ?? []), ...pairOf(group).slice(0, 1)])
    if (gone.some((each) => needed.has(each))) restart(model, group, reason)
  }
}
