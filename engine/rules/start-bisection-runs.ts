import { isDoubtful, isWorthASecondLook } from '../bisection/confirmation.ts'
import { awaitsTip, isWaitingForRuns, knowledgeOf } from '../bisection/knowledge.ts'
import { nextPrefixes } from '../bisection/next-prefixes.ts'
import { repeatBisectionRun, startBisectionRun } from '../transitions/start-run.ts'
import { bisectionSlots } from '../model/configuration.ts'
import { allows } from '../model/queue-state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import type { BisectionView, QueueView } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import type { Rule } from './rule.ts'

/** Bisections start their next runs in separate slots, the earliest bisection first. */
export const startBisectionRuns: Rule = (step) => {
  const { queue } = step
  if (!allows(queue.state, 'startsKnown') || failureOfTip(queue)) return false
  const free = bisectionSlots(queue.configuration) - queue.slots.bisection
  if (free <= 0) return false
  for (const bisection of queue.bisections) {
    if (startIn(step, bisection, free)) return true
  }
  return false
}

function startIn(step: Step, bisection: BisectionView, free: number): boolean {
  const due = bisection.retries.find((retry) => retry.notBefore <= step.at)
  if (due) {
    repeatBisectionRun(step, bisection, due.of, due.attempt)
    return true
  }
  // Without an open member it waits for runs, because otherwise a rule before has ended it.
  if (isWaitingForRuns(step.queue, bisection)) return false
  if (isLeftToASecondLook(step.queue, bisection) || awaitsTip(step.queue, bisection)) return false
  const open = [...bisection.open]
  for (const length of nextPrefixes(step.queue, bisection, free)) {
    startBisectionRun(step, bisection, open.slice(0, length), 0)
  }
  return true
}

/** True if the search is over but for a second look, which has no claim to a slot. */
function isLeftToASecondLook(queue: QueueView, bisection: BisectionView): boolean {
  const { failing } = knowledgeOf(bisection)
  if (failing?.length !== 1 || isDoubtful(queue, bisection, failing)) return false
  return isWorthASecondLook(queue, bisection, failing.verdict)
}
