import { fail } from '../happenings/depart.ts'
import { findInPhase } from '../line/predecessors.ts'
import type { GroupView, QueueView } from '../model/state.ts'
import type { Rule } from './rule.ts'

/**
 * A pull request that conflicts as text with a predecessor has FAILED once that one is merged.
 * (It restarts when that one leaves instead: see the departure.)
 */
export const settleConflict: Rule = (step) => {
  const number = findInPhase(step.queue, 'conflicted', isDecided)?.members[0]
  if (number === undefined) return false
  const evidence = { failedIn: null, passedWithout: null, failedTests: [] }
  fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', evidence)
  return true
}

function isDecided(queue: QueueView, { phase }: GroupView): boolean {
  return phase.kind === 'conflicted' && queue.pullRequests[phase.with]?.state === 'MERGED'
}
