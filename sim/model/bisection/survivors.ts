/** Chapter "Survivors and members that leave". */

import { move, prOf } from '../state/deeds.ts'
import { Group } from '../state/state.ts'
import type { Bisection, Model } from '../state/state.ts'
import { share, targetsOf } from '../state/targets.ts'
import { groupOf, predecessors, runOf } from '../line/predecessors.ts'

/** E-88: whether proven members merge at once. */
export function mayMerge(model: Model, bisection: Bisection): boolean {
  if (bisection.proven.length === 0 || bisection.isTipMoved) return false
  const areProven = bisection.inLine.every(
    (number) => groupOf(model, number)?.provenBy === bisection,
  )
  if (!areProven || model.line.some((group) => standsOnTip(model, group, bisection))) return false
  if (model.settings.canOptimisticallyMerge) return true
  return !model.bisections.some(
    (each) => each.rank < bisection.rank && share(model, each.targets, bisection.targets),
  )
}

/** E-88: a group that shares a target has a run or a verdict of its own. */
function standsOnTip(model: Model, group: Group, bisection: Bisection): boolean {
  if (group.provenBy === bisection) return false
  if (runOf(group) === null && group.phase.is !== 'passed') return false
  return [group, ...predecessors(model, group)].some((each) =>
    share(model, each.targets, bisection.targets),
  )
}

/** E-88: they become a group that has passed, at the head, behind those before them. */
export function mergeAsProven(model: Model, bisection: Bisection): void {
  const at = model.line.findLastIndex(({ provenBy }) => provenBy === bisection) + 1
  const run = bisection.proofs.get(bisection.proven.at(-1) ?? 0) ?? null
  const group = new Group(bisection.proven, bisection.targets)
  group.phase = { is: 'passed', run, merging: null, begun: false }
  group.provenBy = bisection
  model.line.splice(at, 0, group)
  bisection.inLine.push(...bisection.proven)
  bisection.proven = []
}

/** E-87: noBatch, urgent, or sent back by a flake more than 3 times. */
export function isAlone(model: Model, number: number): boolean {
  const { noBatch, priority, flakeReturns } = prOf(model, number)
  return noBatch || priority === 0 || flakeReturns > 3
}

/** E-89: survivors return as one group behind the line; each that is tested alone as its own. */
export function returnSurvivors(model: Model, survivors: readonly number[]): void {
  const alone = survivors.filter((number) => isAlone(model, number))
  const together = survivors.filter((number) => !isAlone(model, number))
  for (const members of [together, ...alone.map((number) => [number])]) {
    if (members.length === 0) continue
    model.line.push(new Group(members, targetsOf(model, members)))
    move(model, members, 'PENDING', 'BISECTION_TEST_RUN_PASSED')
  }
}
