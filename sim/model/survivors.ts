/** Chapter "Survivors and members that leave". */

import type { ImpactedTargets, Reason } from '../../engine/index.ts'
import { groupOf, newGroup, predecessors, share } from './groups.ts'
import { cancelRun, isAlone, move, without } from './state.ts'
import type { Bisection, Group, Model, Phase, PullRequest } from './state.ts'
import { batchSize, inOrder, mayRide, ridersAtEnd } from './waiting.ts'

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

/** E-88, E-153, E-184: a group that shares a target has a run or a verdict of its own. */
function standsOnTip(model: Model, group: Group, bisection: Bisection): boolean {
  const { run, is } = group.phase
  if (group.provenBy === bisection || (!run && is !== 'passed')) return false
  const all = [group, ...predecessors(model, group)]
  return all.some((each) => share(model, each.targets, bisection.targets))
}

/** E-89: survivors return as one group behind the line; each that is tested alone as its own. */
export function returnSurvivors(model: Model, { proven }: Bisection): void {
  const together = proven.filter((each) => !isAlone(each))
  const alone = proven.filter(isAlone).map((each) => [each])
  const taken = together.length > 0 ? takenAlong(model, together.length) : []
  for (const members of [[...together, ...taken], ...alone]) {
    if (members.length === 0) continue
    model.line = [...model.line, { ...newGroup(model, members), hasSurvived: true }]
    move(model, without(members, ...taken), 'PENDING', 'BISECTION_TEST_RUN_PASSED')
  }
}

/** E-206: those that wait, in order, as long as the group is no larger than a batch. */
function takenAlong(model: Model, survivors: number): PullRequest[] {
  const { mode, ...levers } = model.settings
  if (!levers.survivorsTakeAlong || levers.canOptimisticallyMerge || mode === 'parallel') return []
  if (model.state !== 'RUNNING') return []
  const order = inOrder(model)
  const end = [...order.map(isAlone), true].indexOf(true)
  return order.slice(0, Math.max(0, Math.min(end, batchSize(model) - survivors)))
}

/** E-90, E-91: a member leaves every bisection that it is in. */
export function leaveBisections(model: Model, one: PullRequest, cause: Reason): void {
  for (const bisection of model.bisections) {
    const { inLine, proven, proofs, open, retries } = bisection
    if (![...inLine, ...proven, ...open].includes(one)) continue
    for (const run of model.runs) {
      if (run.of === bisection && run.contents.includes(one)) cancelRun(model, run, cause)
    }
    bisection.retries = retries.filter(({ run }) => !run.contents.includes(one))
    const isProvenWith = (each: PullRequest) => proofs.get(each)?.contents.includes(one) === true
    const reopened = without(proven, one).filter(isProvenWith)
    bisection.proven = without(proven, one, ...reopened)
    bisection.open = [...reopened, ...without(open, one)]
    const stands = inLine.map((each) => groupOf(model, each)?.provenBy === bisection)
    const cut = inLine.findIndex((each, at) => !stands[at] || isProvenWith(each))
    if (inLine.includes(one)) bisection.inLine = inLine.slice(0, cut)
    bisection.hasLost = true
    move(model, reopened, 'PENDING', cause)
    move(model, reopened, 'TESTING')
  }
}

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
