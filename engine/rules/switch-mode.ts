import type { Rule } from './rule.ts'
import { reviewEverybody } from './readiness.ts'

/** SWITCHING_MODES lasts until the line is empty; then comes the new mode, and RUNNING. */
export const switchMode: Rule = (step) => {
  const { state, wishedMode, line, bisections } = step.queue
  if (state !== 'SWITCHING_MODES' || wishedMode === null) return false
  if (line.length > 0 || bisections.length > 0) return false
  step.emit({ type: 'queueConfigured', set: { mode: wishedMode } })
  step.emit({ type: 'queueStateChanged', from: state, to: 'RUNNING', wishedMode: null })
  reviewEverybody(step)
  return true
}
