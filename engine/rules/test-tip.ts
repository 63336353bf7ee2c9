import { awaitsTip } from '../bisection/knowledge.ts'
import { findInPhase } from '../model/predecessors.ts'
import { testsTip } from '../model/policy.ts'
import { allows } from '../model/queue-state.ts'
import type { Millis, QueueView, Tip } from '../model/state.ts'
import { failsAlike, isMended, proofOn, pinnedTip, tipOf, tipRunOf } from '../model/tip-test.ts'
import { startTipRun } from '../transitions/start-run.ts'
import { tipHasPassed } from '../transitions/tip.ts'
import type { Rule, Step } from '../evolve/step.ts'
import { isFailureDue, needsTip } from './settle.ts'

/**
 * The branch is tested by itself while somebody could be FAILED for what it breaks: if one is to be FAILED and
 * no run shows that the branch passes, if the same test fails in two runs that share no pull request, and while
 * the last tip has failed. One such run at a time. Rules: E-229 to E-237.
 */
export const testTip: Rule = (step) => {
  const { queue, at } = step
  if (!testsTip(queue)) return false
  const passed = isMended(queue) ? proofOn(queue, queue.tip.composition) : undefined
  if (passed) {
    tipHasPassed(step, passed.run, queue.tip.number, passed.quarantined ? passed.failedTests : [])
    return true
  }
  const tip = wantedTip(queue, at)
  // Nothing is wanted at most steps, and only after a push can a run that is under way be in vain.
  if (!tip && queue.pushedAt === undefined) return false
  if (isUnderWay(step)) return false
  if (!tip || !allows(queue.state, 'startsKnown')) return false
  const { tipRetry } = queue
  const isRetry = tipRetry?.of.composition === tip.composition
  if (isRetry && tipRetry.notBefore > at) return false
  startTipRun(step, tip, isRetry ? tipRetry.attempt : 0)
  return false
}

/** Whether a test run of a tip is under way; one that a push has made useless is cancelled. */
function isUnderWay({ queue, emit }: Step): boolean {
  const run = tipRunOf(queue)
  if (!run) return false
  if (!isPastPush(queue, run)) return true
  emit({ type: 'testRunCancelled', testRun: run.id, cause: 'MANUAL_PUSH_TO_TARGET_BRANCH' })
  return false
}

/** True if somebody has pushed since that run began, and no bisection is pinned on its tip. */
function isPastPush({ bisections, pushedAt = 0 }: QueueView, run: Tip): boolean {
  const isPinned = bisections.some(({ composition }) => composition === run.composition)
  return run.tip < pushedAt && !isPinned
}

function wantedTip(queue: QueueView, at: Millis): Tip | null {
  const current = tipOf(queue)
  const { tipTest } = queue
  if (tipTest?.failure) {
    const isDue = tipTest.tip !== current.tip || (tipTest.failure.notBefore <= at && hasWork(queue))
    return isDue ? current : null
  }
  const group = findInPhase(
    queue,
    'failed',
    (_, each) => needsTip(queue, each) && isFailureDue(queue, each, at),
  )
  if (group) return current
  const bisection = queue.bisections.find((each) => awaitsTip(queue, each))
  if (bisection) return pinnedTip(bisection)
  return tipTest?.tip !== current.tip && failsAlike(queue) ? current : null
}

/** While the queue is empty, a branch that failed is not tested again. */
function hasWork({ line, bisections, order }: QueueView): boolean {
  return line.length + bisections.length + order.pending > 0
}
