import type { Rule } from '../evolve/step.ts'
import { reviewAllReadiness } from '../transitions/readiness.ts'

/**
 * When the line is empty in SWITCHING_MODES, the new mode takes effect and the queue is RUNNING.
 */
export const switchMode: Rule = (step) => {
  const { state, wishedMode, line, bisections } = step.queue
  if (wishedMode === null) return false
  if (line.length > 0 || bisections.length > 0) return false
  step.emit({ type: 'queueConfigured', set: { mode: wishedMode } })
  step.emit({ type: 'queueStateChanged', from: state, to: 'RUNNING', wishedMode: null })
  reviewAllReadiness(step)
  return true
}
