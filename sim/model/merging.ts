/** Chapters "Passing and merging", "Optimistic merging" and "Direct merge". */

import type { FinishMerge, MergeRefusal } from '../../engine/index.ts'
import { cancelStored, commit, fail, push, restart, waitsBehind } from './departures.ts'
import { leaveGroup, newGroup, predecessors, share, targetsOf } from './groups.ts'
import { isBehindAside } from './policy.ts'
import { cancelRun, move, type Group, type Model, type PullRequest, type Run } from './state.ts'
import { missingOf } from './stacks.ts'
import { shows } from './verdicts.ts'
import { inOrder } from './waiting.ts'

/** E-43, E-50: a group passes, and with optimistic merging clears those that its run contains. */
export function pass(model: Model, group: Group, run: Run): void {
  group.phase = { is: 'passed', run }
  move(model, group.members, 'TESTS_PASSED', 'TEST_RUN_PASSED', undefined, run)
  if (!model.settings.canOptimisticallyMerge) return
  for (const ahead of model.line.slice(0, model.line.indexOf(group))) {
    const isContained = ahead.members.some((each) => run.contents.includes(each))
    if (isContained && ahead.phase.is !== 'passed') clear(model, ahead, run)
  }
}

function clear(model: Model, group: Group, run: Run): void {
  const { is, run: own, failure } = group.phase
  if (is === 'testing' && own) cancelRun(model, own, 'SUCCESSOR_TEST_RUN_PASSED')
  if (failure && shows(run, failure)) failure.run.isContradicted = true // E-51.
  group.phase = { is: 'passed', run }
  const waiting = group.members.filter(({ state }) => state === 'PENDING')
  move(model, waiting, 'TESTING') // They pass through it.
  move(model, group.members, 'TESTS_PASSED', 'SUCCESSOR_TEST_RUN_PASSED', undefined, run)
}

/** E-43, E-45: merges what may merge, or asks the host. */
export function mergeNext(model: Model): void {
  const group = model.line.find((each) => mayMerge(model, each))
  const [one] = group?.members ?? []
  if (!group || !one) return
  if (model.codeHost === 'merges at once') return land(model, group, one)
  const merging = model.codeHost === 'groups' ? group.members : [one] // E-219.
  Object.assign(group.phase, { merging, isPushedTo: false })
  model.effects.push({ is: 'request', merging })
}

function mayMerge(model: Model, group: Group): boolean {
  const { is, begun } = group.phase
  if (is !== 'passed' || group.phase.merging || predecessors(model, group).length > 0) return false
  if (begun === true) return true
  if (model.state === 'PAUSED') return false // E-99.
  // E-52, E-53, E-155: behind a bisection it waits, unless it is urgent or proven by it.
  if (group.isUrgent) return true
  if (!model.settings.canOptimisticallyMerge && isBehindAside(model, group)) return false
  return !waitsBehind(model, group.targets, group.provenBy?.rank)
}

function land(model: Model, group: Group, one: PullRequest): void {
  const { pushedAt, tested } = model
  const { run } = group.phase
  commit(model, one, group)
  if (run) model.pushedAt = pushedAt // E-230: also if another one merges beside it.
  if (run) model.judged.push('good')
  if (run && tested) tested.despite = [...tested.despite, ...run.despite]
  const reason = run ? 'MERGE_GRAPH_MERGE' : 'MERGE_GRAPH_DIRECT_MERGE'
  move(model, [one], 'MERGED', reason, undefined, run)
  group.phase.begun = true
  leaveGroup(model, one, reason)
}

/** E-43 to E-46, E-219 to E-221: the answer of the host. False if none was expected. */
export function hostHasAnswered(model: Model, answer: FinishMerge): boolean {
  const { number, numbers = [number], refused } = answer
  const group = model.line.find(({ phase }) => phase.merging?.some((one) => one.number === number))
  const { merging = [] } = group?.phase ?? {}
  const landed = merging.filter((each) => numbers.includes(each.number))
  const isPrefix = landed.every((each, at) => each === merging[at])
  if (!group || (refused === null && !isPrefix)) return false
  group.phase.merging = undefined
  if (refused === null) {
    for (const one of landed) land(model, group, one)
    cancelStored(model, group)
  } else {
    const named = merging.find((each) => each.number === number && each.leavingFor === null)
    refuse(model, group, refused, named)
  }
  return true
}

/** E-42, E-44, E-208, E-222: a direct merge is tested instead, and a moved branch is a push, if none is known. */
function refuse(model: Model, group: Group, refused: MergeRefusal, named?: PullRequest): void {
  const isMoved = refused === 'TARGET_BRANCH_MOVED'
  const { isPushedTo, run } = group.phase
  if (!isMoved && run && named) fail(model, named, refused)
  cancelStored(model, group)
  if (isMoved && !isPushedTo) push(model)
  if ((!isMoved && run) || !model.line.includes(group)) return
  restart(model, group, isMoved ? 'MANUAL_PUSH_TO_TARGET_BRANCH' : 'TESTS_RESTARTED_BY_API_REQUEST')
}

/** E-40, E-157: merges a green pull request that has nothing ahead. */
export function mergeDirectly(model: Model): void {
  if (model.settings.directMergeMode !== 'always' || model.state !== 'RUNNING') return
  const order = inOrder(model)
  const begun = [...model.line, ...model.bisections].map(({ targets }) => targets)
  for (const one of model.green.flatMap((each) => order.filter(({ number }) => number === each))) {
    if (missingOf(model, one).length > 0) continue // E-261.
    const waiting = order.slice(0, order.indexOf(one)).map((each) => targetsOf(model, each))
    const own = targetsOf(model, one)
    if ([...begun, ...waiting].some((each) => share(model, each, own))) continue
    model.line = [...model.line, { ...newGroup(model, [one]), phase: { is: 'passed' } }]
    return
  }
}
