import { handOver, mayMergeSurvivors } from '../bisection/survivors.ts'
import type { Rule } from './rule.ts'

/** Proven members merge as soon as they are proven, where nothing can have changed since. */
export const mergeSurvivors: Rule = (step) => {
  const bisection = step.queue.bisections.find((each) => mayMergeSurvivors(step.queue, each))
  if (!bisection) return false
  handOver(step, bisection)
  return true
}
