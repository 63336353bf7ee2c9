import { handOver, mayMergeSurvivors } from '../bisection/survivors.ts'
import type { Rule } from './rule.ts'

/** Proven members of a bisection merge as soon as they are proven, if their proof still holds. */
export const mergeSurvivors: Rule = (step) => {
  for (const bisection of step.queue.bisections) {
    if (!mayMergeSurvivors(step.queue, bisection)) continue
    handOver(step, bisection)
    return true
  }
  return false
}
