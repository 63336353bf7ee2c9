/** Chapters "Passing and merging", "Optimistic merging" and "Direct merge". */

import type { FinishMerge } from '../../engine/index.ts'
import { cancelRun, deed, move } from './deeds.ts'
import { cancel, commit, fail, restart } from './departures.ts'
import { leaveGroup, predecessors, share, targetsOf } from './groups.ts'
import { Group, type Model, type PullRequest, type Run } from './state.ts'
import { waitsBehind } from './survivors.ts'
import { inOrder } from './waiting.ts'

/** E-43, E-50: a group passes, and with optimistic merging clears those that its run contains. */
export function pass(model: Model, group: Group, run: Run): void {
  group.phase = { is: 'passed', run }
  move(model, group.members, 'TESTS_PASSED', 'TEST_RUN_PASSED')
  if (!model.settings.canOptimisticallyMerge) return
  for (const ahead of model.line.slice(0, model.line.indexOf(group))) {
    const isContained = ahead.members.some((each) => run.contents.includes(each))
    if (isContained && ahead.phase.is !== 'passed') clear(model, ahead, run)
  }
}

function clear(model: Model, group: Group, run: Run): void {
  const { is, run: own, failure } = group.phase
  if (is === 'testing' && own) cancelRun(model, own, 'SUCCESSOR_TEST_RUN_PASSED')
  // E-51.
  if (failure) failure.run.isContradicted = true
  group.phase = { is: 'passed', run }
  // A pull request that waits passes through TESTING.
  const waiting = group.members.filter(({ state }) => state === 'PENDING')
  move(model, waiting, 'TESTING')
  move(model, group.members, 'TESTS_PASSED', 'SUCCESSOR_TEST_RUN_PASSED')
}

/** E-43, E-45: merges what may merge, or asks the host. */
export function mergeNext(model: Model): void {
  const group = model.line.find((each) => mayMerge(model, each))
  const [one] = group?.members ?? []
  if (!group || !one) return
  if (!model.hostAnswers) return land(model, group, one)
  group.phase.merging = one
  model.deeds.push(deed('merge requests', `request the merge of ${one.number}`, [one.number]))
}

function mayMerge(model: Model, group: Group): boolean {
  const { is, merging, begun } = group.phase
  if (is !== 'passed' || merging || predecessors(model, group).length > 0) return false
  if (begun === true) return true
  // E-99.
  if (model.state === 'PAUSED') return false
  // E-52, E-53, E-155: behind a bisection it waits, unless it is urgent or proven by it.
  return group.isUrgent || !waitsBehind(model, group.targets, group.provenBy?.rank)
}

function land(model: Model, group: Group, one: PullRequest): void {
  commit(model, one)
  if (group.phase.run) model.judged.push('good')
  const reason = group.phase.run ? 'MERGE_GRAPH_MERGE' : 'MERGE_GRAPH_DIRECT_MERGE'
  move(model, [one], 'MERGED', reason)
  group.phase.begun = true
  leaveGroup(model, one, reason)
}

/** E-42, E-44, E-46, E-208: the answer of the host. False if no answer was expected. */
export function hostHasAnswered(model: Model, { number, refused }: FinishMerge): boolean {
  const group = model.line.find(({ phase }) => phase.merging?.number === number)
  const one = group?.phase.merging
  if (!group || !one) return false
  group.phase.merging = undefined
  if (refused === null) land(model, group, one)
  else if (one.leavingFor !== null) cancel(model, one, one.leavingFor)
  else if (refused === 'TARGET_BRANCH_MOVED') restart(model, group, 'MANUAL_PUSH_TO_TARGET_BRANCH')
  else if (!group.phase.run) restart(model, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  else fail(model, one, refused)
  return true
}

/** E-40, E-157: merges a green pull request that has nothing ahead. */
export function mergeDirectly(model: Model): void {
  if (model.settings.directMergeMode !== 'always' || model.state !== 'RUNNING') return
  const order = inOrder(model)
  const begun = [...model.line, ...model.bisections].map(({ targets }) => targets)
  const uploaded = model.line.map(({ members }) => targetsOf(model, ...members))
  for (const one of model.green.flatMap((each) => order.filter(({ number }) => number === each))) {
    const waiting = order.slice(0, order.indexOf(one)).map((each) => targetsOf(model, each))
    const ahead = [...begun, ...uploaded, ...waiting]
    const own = targetsOf(model, one)
    if (ahead.some((each) => share(model, each, own))) continue
    const group = new Group([one], own)
    group.phase = { is: 'passed' }
    model.line = [...model.line, group]
    return
  }
}
