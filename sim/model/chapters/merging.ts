/** Chapters "Passing and merging", "Optimistic merging" and "Direct merge". */

import type { RefusalReason } from '../../../engine/index.ts'
import { dropEmpty, groupOf, holds, predecessors } from '../line/predecessors.ts'
import { contradict } from '../line/verdicts.ts'
import { restart } from '../line/restarts.ts'
import { cancelRun, move, prOf, say } from '../state/deeds.ts'
import { Group } from '../state/state.ts'
import type { Model, Run } from '../state/state.ts'
import { share, targetsOf } from '../state/targets.ts'
import { cancel, commit, fail } from './departures.ts'
import { inOrder } from './order.ts'

/** E-43, E-50: a group passes, and with optimistic merging clears those that its run contains. */
export function pass(model: Model, group: Group, run: Run): void {
  group.phase = { is: 'passed', run, merging: null, begun: false }
  move(model, group.members, 'TESTS_PASSED', 'TEST_RUN_PASSED')
  if (!model.settings.canOptimisticallyMerge) return
  for (const ahead of model.line.slice(0, model.line.indexOf(group))) {
    const isContained = ahead.members.some((number) => holds(model, run, number))
    if (isContained && ahead.phase.is !== 'passed') clear(model, ahead, run)
  }
}

function clear(model: Model, group: Group, run: Run): void {
  const { phase } = group
  if (phase.is === 'testing') cancelRun(model, phase.run, 'SUCCESSOR_TEST_RUN_PASSED')
  // E-51.
  if (phase.is === 'failed') contradict(model, phase.failure.run)
  group.phase = { is: 'passed', run, merging: null, begun: false }
  for (const number of group.members) {
    // A pull request that waits passes through TESTING.
    if (prOf(model, number).state === 'PENDING') move(model, [number], 'TESTING', null)
    move(model, [number], 'TESTS_PASSED', 'SUCCESSOR_TEST_RUN_PASSED')
  }
}

/** E-43, E-45: merges what may merge, or asks the host. True if something has happened. */
export function mergeNext(model: Model): boolean {
  const group = model.line.find((each) => mayMerge(model, each))
  const [number] = group?.members ?? []
  if (group?.phase.is !== 'passed' || number === undefined) return false
  if (model.hostAnswers) {
    group.phase.merging = number
    say(model, 'merge requests', `request the merge of ${number}`, 'E-10, E-43', {
      numbers: [number],
    })
  } else {
    land(model, group, number)
  }
  return true
}

function mayMerge(model: Model, group: Group): boolean {
  const { phase } = group
  if (phase.is !== 'passed' || phase.merging !== null) return false
  if (predecessors(model, group).length > 0) return false
  if (phase.begun) return true
  // E-99.
  if (model.state === 'PAUSED') return false
  // E-52, E-53: behind a bisection it waits, unless it is urgent or proven by that bisection.
  if (model.settings.canOptimisticallyMerge || group.isUrgent) return true
  const rank = group.provenBy?.rank ?? Infinity
  return !model.bisections.some(
    (each) => each.rank < rank && share(model, each.targets, group.targets),
  )
}

function land(model: Model, group: Group, number: number): void {
  const isTested = group.phase.is === 'passed' && group.phase.run !== null
  commit(model, number)
  const reason = isTested ? 'MERGE_GRAPH_MERGE' : 'MERGE_GRAPH_DIRECT_MERGE'
  move(model, [number], 'MERGED', reason)
  if (isTested) model.judged++
  group.members = group.members.filter((each) => each !== number)
  if (group.phase.is === 'passed') group.phase = { ...group.phase, merging: null, begun: true }
  dropEmpty(model)
}

/** E-42, E-44, E-46: the answer of the host. False if no answer was expected. */
export function hostHasAnswered(
  model: Model,
  number: number,
  refused: RefusalReason | null,
): boolean {
  const group = groupOf(model, number)
  if (group?.phase.is !== 'passed' || group.phase.merging !== number) return false
  if (refused === null) {
    land(model, group, number)
    return true
  }
  const { leavingFor } = prOf(model, number)
  const isDirect = group.phase.run === null
  group.phase.merging = null
  if (leavingFor !== null) cancel(model, number, leavingFor)
  else if (isDirect) restart(model, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  else fail(model, number, refused)
  return true
}

/** E-40: merges a green pull request that has nothing ahead. True if there is one. */
export function mergeDirectly(model: Model): boolean {
  if (model.settings.directMergeMode !== 'always' || model.state !== 'RUNNING') return false
  const number = model.green.find((each) => hasNothingAhead(model, each))
  if (number === undefined) return false
  const group = new Group([number], targetsOf(model, [number]))
  group.phase = { is: 'passed', run: null, merging: null, begun: false }
  model.line.push(group)
  return true
}

function hasNothingAhead(model: Model, number: number): boolean {
  const order = inOrder(model)
  const at = order.indexOf(number)
  if (at === -1) return false
  const targets = targetsOf(model, [number])
  const waiting = order.slice(0, at).map((each) => targetsOf(model, [each]))
  const uploaded = model.line.map(({ members }) => targetsOf(model, members))
  const begun = [...model.line, ...model.bisections].map((each) => each.targets)
  const ahead = [...waiting, ...begun, ...uploaded]
  return !ahead.some((each) => share(model, each, targets))
}
