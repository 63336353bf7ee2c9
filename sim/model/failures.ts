/** Chapter "Failures". */

import { wouldStartWith } from './batches.ts'
import { begin } from './bisection.ts'
import { fail } from './departures.ts'
import { predecessors } from './groups.ts'
import { restartWithout } from './restarts.ts'
import { isSame, type Group, type Model } from './state.ts'

/** E-58, E-60: acts on the first failure that is due. */
export function settleFailure(model: Model): void {
  const group = model.line.find((each) => isItsOwn(model, each) && isHoldOver(model, each))
  const failure = group?.phase.failure
  if (!group || !failure?.reason) return
  const { members } = group
  const [first, ...others] = members
  if (first && others.length === 0) {
    // E-182: the last run that passed on the branch as it is.
    const passed = model.verdicts.findLast(({ reason, contents }) => {
      return reason === null && isSame(contents, model.branch)
    })
    fail(model, first, failure.reason, failure, passed)
  } else {
    begin(model, group, failure)
    restartWithout(model, members, 'PREREQUISITE_MERGE_ITEM_FAILED')
  }
}

/** E-54: every pull request below it in that run has merged. */
function isItsOwn(model: Model, { phase: { is, run } }: Group): boolean {
  return is === 'failed' && run?.base.every((each) => model.branch.includes(each)) === true
}

/** E-56, E-57, E-134: d successors have given a verdict, or none is left that can give one. */
function isHoldOver(model: Model, group: Group): boolean {
  const { pendingFailureDepth: depth, testingTimeoutMinutes } = model.settings
  if (depth === 0) return true
  // E-133.
  group.phase.heldUntil ??= model.at + testingTimeoutMinutes * 60_000
  // The groups whose own main run contains it.
  const onTop = model.line.filter((other) => {
    const { is, run } = other.phase
    if (other === group || is === 'waiting' || !run) return false
    const isOwn = run.tested.some((each) => other.members.includes(each))
    return isOwn && group.members.every((each) => run.contents.includes(each))
  })
  const phases = onTop.map(({ phase }) => phase.is)
  const verdicts = phases.filter((is) => is === 'passed' || is === 'failed')
  return verdicts.length >= depth || !(phases.includes('testing') || awaitsOthers(model, group))
}

/** E-131 to E-133: whether successors without a run are awaited. */
export function awaitsOthers(model: Model, group: Group): boolean {
  const { heldUntil = 0 } = group.phase
  if (heldUntil <= model.at) return false
  const successors = model.line.filter((other) => {
    return other.phase.is !== 'conflicting' && predecessors(model, other).includes(group)
  })
  if (successors.some(({ phase }) => phase.is === 'waiting')) return true
  const targets = [group, ...successors].map((each) => each.targets)
  return model.state === 'RUNNING' && wouldStartWith(model, targets)
}
