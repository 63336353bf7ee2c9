import type { Rule } from '../evolve/step.ts'
import { isLineEmpty } from '../model/predecessors.ts'
import { reviewAllReadiness } from '../transitions/readiness.ts'

/**
 * When the line is empty in SWITCHING_MODES, the new mode takes effect and the queue is RUNNING.
 */
export const switchMode: Rule = (step) => {
  const { state, wishedMode } = step.queue
  if (wishedMode === null || !isLineEmpty(step.queue)) return false
  step.emit({ type: 'queueConfigured', set: { mode: wishedMode } })
  step.emit({ type: 'queueStateChanged', from: state, to: 'RUNNING', wishedMode: null })
  reviewAllReadiness(step)
  return true
}
