import { fail, noEvidence } from '../transitions/depart.ts'
import { findInPhase } from '../model/predecessors.ts'
import type { GroupView, QueueView } from '../model/state.ts'
import type { Rule } from './rule.ts'

/**
 * A pull request with a text conflict is FAILED when the predecessor it conflicts with has merged.
 * If that predecessor leaves instead, `restartLineWithout` restarts the pull request.
 */
export const settleConflict: Rule = (step) => {
  const number = findInPhase(step.queue, 'conflicted', isDecided)?.members[0]
  if (number === undefined) return false
  fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', noEvidence)
  return true
}

function isDecided(queue: QueueView, { phase }: GroupView): boolean {
  return phase.kind === 'conflicted' && queue.pullRequests[phase.with]?.state === 'MERGED'
}
