import { fail, noEvidence } from '../transitions/depart.ts'
import { restartGroup, waitsForDependency } from '../line/restart.ts'
import { findInPhase } from '../model/predecessors.ts'
import type { GroupView, QueueView } from '../model/state.ts'
import type { Rule } from './rule.ts'

/**
 * A pull request with a text conflict is FAILED when the predecessor it conflicts with has merged.
 * If that predecessor leaves instead, `restartLineWithout` restarts the pull request. One that waits for what it
 * depends on is tested when that has merged. Rules: E-68, E-266.
 */
export const settleConflict: Rule = (step) => {
  const group = findInPhase(step.queue, 'conflicted', isDecided)
  const number = group?.members[0]
  if (!group || number === undefined) return false
  if (waitsForDependency(step.queue, group)) {
    restartGroup(step, group, 'MERGE_ITEM_NOW_READY')
    return true
  }
  fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', noEvidence)
  return true
}

function isDecided(queue: QueueView, { phase }: GroupView): boolean {
  return phase.kind === 'conflicted' && queue.pullRequests[phase.with]?.state === 'MERGED'
}
