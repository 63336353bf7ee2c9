/** Chapter "Failures". */

import { begin } from '../bisection/search.ts'
import { passedOn } from '../line/verdicts.ts'
import { restartWithout } from '../line/restarts.ts'
import { prOf } from '../state/deeds.ts'
import type { Failure, Group, Model } from '../state/state.ts'
import { wouldStartWith } from './batches.ts'
import { fail } from './departures.ts'
import { holds, predecessors, runOf } from '../line/predecessors.ts'

/** E-54: every pull request below it in that run has merged. */
function isItsOwn(model: Model, { run }: Failure): boolean {
  const below = run.contents.slice(0, run.contents.length - run.tested.length)
  return below.every((content) => model.branch.includes(content))
}

/** E-58, E-60: acts on the first failure that is due. True if there is one. */
export function settleFailure(model: Model): boolean {
  for (const group of model.line) {
    if (group.phase.is !== 'failed') continue
    const { failure } = group.phase
    if (!isItsOwn(model, failure) || !isHoldOver(model, group)) continue
    act(model, group, failure)
    return true
  }
  return false
}

function act(model: Model, group: Group, failure: Failure): void {
  const [number, ...others] = group.members
  if (number === undefined) return
  if (others.length === 0) {
    const passed = passedOn(model, model.branch)
    fail(model, number, failure.reason, { failure, passed })
    return
  }
  const members = group.members.map((each) => prOf(model, each))
  begin(model, group, failure)
  restartWithout(model, members, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** E-56, E-57: d successors have given a verdict, or none is left that can give one. */
function isHoldOver(model: Model, group: Group): boolean {
  const depth = model.settings.pendingFailureDepth
  if (group.phase.is !== 'failed') return false
  if (depth === 0) return true
  const minutes = model.settings.testingTimeoutMinutes
  group.phase.heldUntil ??= model.at + minutes * 60_000
  const verdicts = behind(model, group).filter(
    ({ phase }) => phase.is === 'passed' || phase.is === 'failed',
  )
  const isTested = behind(model, group).some(({ phase }) => phase.is === 'testing')
  return verdicts.length >= depth || (!isTested && !awaitsOthers(model, group))
}

/** The groups behind whose own main run contains the group. */
function behind(model: Model, { members: [first = 0] }: Group): Group[] {
  return model.line.filter((other) => {
    const run = other.phase.is === 'waiting' ? null : runOf(other)
    const isOwn = run?.tested.some((number) => other.members.includes(number)) === true
    return isOwn && holds(model, run, first) && !other.members.includes(first)
  })
}

/** E-56, E-57: whether successors without a run are awaited. */
export function awaitsOthers(model: Model, group: Group): boolean {
  if (group.phase.is !== 'failed' || group.phase.heldUntil === null) return false
  if (group.phase.heldUntil <= model.at) return false
  const onTop = model.line.filter(
    (other) => other.phase.is !== 'conflicting' && predecessors(model, other).includes(group),
  )
  if (onTop.some(({ phase }) => phase.is === 'waiting')) return true
  const targets = [group, ...onTop].map((each) => each.targets)
  return model.state === 'RUNNING' && wouldStartWith(model, targets)
}
