import { eachOnce } from '../model/each-once.ts'
import type { SetImpactedTargets } from '../protocol/commands.ts'
import { reviewReadiness } from '../rules/readiness.ts'
import type { Decide } from './decide.ts'

/** The last upload replaces the one before; it may come before the submission. */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  const named = targets === 'ALL' ? targets : eachOnce(targets)
  step.emit({ type: 'impactedTargetsSet', number, targets: named })
  reviewReadiness(step, number)
  return null
}
