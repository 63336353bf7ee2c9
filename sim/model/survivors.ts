/** Chapter "Survivors and members that leave". */

import type { ImpactedTargets, Reason } from '../../engine/index.ts'
import { groupOf, newGroup, predecessors, share } from './groups.ts'
import { liveOf, missingOf } from './stacks.ts'
import { cancelRun, isAlone, move, without } from './state.ts'
import type { Bisection, Group, Model, Phase, PullRequest } from './state.ts'

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

/** E-89: they return as one group behind the line; each that is tested alone as its own. */
export function returnToLine(model: Model, all: readonly PullRequest[], reason: Reason): void {
  const together = all.filter((each) => !isAlone(each))
  const alone = all.filter(isAlone).map((each) => [each])
  for (const members of [together, ...alone].filter(({ length }) => length > 0)) {
    model.line = [...model.line, newGroup(model, members)]
    move(model, members, 'PENDING', reason)
  }
}

/** E-90, E-91: a member leaves every bisection. E-290: who depends on one that is not in it any more, too. */
export function leaveBisections(model: Model, one: PullRequest, cause: Reason): void {
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
