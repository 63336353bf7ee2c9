/** Merges: a pull request becomes one commit on the target branch. */

import { extend } from '../model/composition.ts'
import { contentOf } from '../model/content.ts'
import type { GroupView, PullRequestNumber } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import { move, passedBy } from './moves.ts'
import { restartLine } from './restart.ts'

/** Adds one commit to the branch: of a pull request, or of a push from outside (`null`). */
export function moveTip(step: Step, number: PullRequestNumber | null): void {
  const { queue } = step
  const tip = queue.tip.number + 1
  // Submissions have positive numbers, so a negative one is unique to this push.
  const content = number === null ? [-tip] : [contentOf(queue, number)]
  const composition = extend(queue.tip.composition, content)
  step.emit({ type: 'tipMoved', tip, number, composition })
}

/**
 * Somebody has pushed to the target branch: every group in the line restarts on the new tip, also groups
 * that passed or failed. Bisections stay pinned, and what they prove is tested again. Rule: E-109.
 */
export function takePush(step: Step): void {
  moveTip(step, null)
  restartLine(step, 'MANUAL_PUSH_TO_TARGET_BRANCH')
}

/** Merges the first member of a passed group. The group leaves the line with its last member. */
export function land(step: Step, group: GroupView, number: PullRequestNumber): void {
  const run = group.phase.kind === 'passed' ? group.phase.run : null
  moveTip(step, number)
  const reason = run ? 'MERGE_GRAPH_MERGE' : 'MERGE_GRAPH_DIRECT_MERGE'
  move(step, number, 'MERGED', reason, run ? passedBy(run) : {})
  if (group.members.length === 0) step.emit({ type: 'groupLeft', group: group.id })
}
