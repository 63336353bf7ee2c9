/**
 * The chance that the predecessors of a group all pass.
 *
 * Rule: E-189.
 */

import { failureRate } from '../model/failure-rate.ts'
import { predecessors } from '../model/predecessors.ts'
import type { GroupView, QueueView } from '../model/state.ts'

/** A group is tested on top of its predecessors if at least this chance is left that all pass. */
const leastChance = 0.3

/** The chance that a group that was screened passes on top of others that were. */
const chanceOfScreened = 0.97

/** True if the predecessors of the group will probably all pass. */
export function isLikely(queue: QueueView, group: GroupView): boolean {
  let chance = 1
  for (const ahead of predecessors(queue, group)) chance *= chanceOf(queue, ahead)
  return chance >= leastChance
}

/** One whose failure is held counts as passed, because its successors are to judge it. */
function chanceOf(queue: QueueView, { phase, members, screened }: GroupView): number {
  if (phase.kind === 'passed' || phase.kind === 'failed') return 1
  return screened ? chanceOfScreened : (1 - failureRate(queue)) ** members.length
}
