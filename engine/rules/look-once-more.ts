import { isDoubtful, isWorthASecondLook } from '../bisection/confirmation.ts'
import { convict } from '../transitions/conviction.ts'
import { isUnexplained, knowledgeOf, type KnownFailure } from '../bisection/knowledge.ts'
import { bisectionSlots } from '../model/configuration.ts'
import { allows } from '../model/queue-state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import type { BisectionView, QueueView } from '../model/state.ts'
import { startBisectionRun } from '../transitions/start-run.ts'
import type { Step } from '../evolve/step.ts'
import type { Rule } from './rule.ts'

/**
 * Second looks (E-141, E-142). All wanted bisection runs have started by now. In a slot that is left
 * over, the failed run of a batch is made once more, beside the search. If only that failure is left
 * to convict a member (elimination) and no slot is left over, the member is convicted without it.
 */
export const lookOnceMore: Rule = (step) => {
  const { queue } = step
  if (queue.bisections.length === 0) return false
  const leftOver = slotsLeftOver(queue)
  for (const bisection of queue.bisections) {
    const failing = unconfirmedFailureOf(queue, bisection)
    if (!failing) continue
    const hasSlot = leftOver >= slotsNeeded(failing)
    if (hasSlot ? look(step, bisection) : eliminate(step, bisection, failing)) return true
  }
  return false
}

/** Beside the search another slot stays free, for a bisection that begins meanwhile. */
function slotsNeeded(failing: KnownFailure): number {
  const isSearchOver = failing.length === 1
  return isSearchOver ? 1 : 2
}

/** The number of free slots that no run wants, now or when its retry is due. */
function slotsLeftOver(queue: QueueView): number {
  if (!allows(queue.state, 'startsKnown') || failureOfTip(queue)) return 0
  let wanted = 0
  for (const { retries } of queue.bisections) wanted += retries.length
  return bisectionSlots(queue.configuration) - queue.slots.bisection - wanted
}

/**
 * The failure of the batch, if it is the only failure in the bisection, all that is known of the open
 * members, and no second run of it is in progress or planned.
 */
function unconfirmedFailureOf(queue: QueueView, bisection: BisectionView): KnownFailure | null {
  const { failing } = knowledgeOf(bisection)
  if (!failing || bisection.retries.length > 0) return null
  if (!isWorthASecondLook(queue, bisection, failing.verdict)) return null
  const { composition } = failing
  const isUnderWay = bisection.underWay.some((id) => {
    return queue.testRuns[id]?.composition === composition
  })
  return isUnderWay ? null : failing
}

function look(step: Step, bisection: BisectionView): boolean {
  startBisectionRun(step, bisection, bisection.open, 0)
  return true
}

function eliminate(step: Step, bisection: BisectionView, failing: KnownFailure): boolean {
  const { queue } = step
  const [first] = bisection.open
  if (first === undefined || failing.length > 1) return false
  if (isDoubtful(queue, bisection, failing)) return false
  if (isUnexplained(queue, bisection, failing)) return false
  convict(step, bisection, first, failing)
  return true
}
