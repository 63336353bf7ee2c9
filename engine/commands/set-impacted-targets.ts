import { withoutDuplicates } from '../model/each-once.ts'
import type { SetImpactedTargets } from '../protocol/commands.ts'
import { setTargets, widenDependents, withTargetsBelow } from '../transitions/stack.ts'
import { reviewReadiness } from '../transitions/readiness.ts'
import type { Decide } from './decide.ts'

/**
 * Stores uploaded targets, also before the submission. They replace an earlier upload. A list that
 * contains the name `ALL` is `ALL`. A group in the line that shares more than before waits for those
 * that were tested without it. Those that depend on it impact them too. Rules: E-94, E-143, E-267.
 */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  const isAll = targets === 'ALL' || targets.includes('ALL')
  const named = isAll ? 'ALL' : withoutDuplicates(targets)
  setTargets(step, number, withTargetsBelow(step.queue, number, named))
  reviewReadiness(step, number)
  widenDependents(step, number)
  return null
}
