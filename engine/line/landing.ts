/** A pull request lands on the target branch as one commit. */

import { extend } from '../model/composition.ts'
import { contentOf } from '../model/content.ts'
import type { GroupView, PullRequestNumber } from '../model/state.ts'
import type { Step } from '../step.ts'
import { move } from './moves.ts'

/** The branch holds one more commit: a pull request's, or somebody's push (`null`). */
export function moveTip(step: Step, number: PullRequestNumber | null): void {
  const { queue } = step
  const tip = queue.tip.number + 1
  // A push from outside is a content nobody else has: no submission has a negative number.
  const content = number === null ? [-tip] : [contentOf(queue, number)]
  const composition = extend(queue.tip.composition, content)
  step.emit({ type: 'tipMoved', tip, number, composition })
}

/** The first member of a group that passed is merged; the group leaves with its last one. */
export function land(step: Step, group: GroupView, number: PullRequestNumber): void {
  const run = group.phase.kind === 'passed' ? group.phase.run : null
  moveTip(step, number)
  const reason = run ? 'MERGE_GRAPH_MERGE' : 'MERGE_GRAPH_DIRECT_MERGE'
  move(step, number, 'MERGED', reason, { testRun: run?.id ?? null })
  if (group.members.length === 0) step.emit({ type: 'groupLeft', group: group.id })
}
