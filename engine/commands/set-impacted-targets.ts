import type { SetImpactedTargets } from '../protocol/commands.ts'
import { reviewReadiness } from '../rules/readiness.ts'
import type { Decide } from './decide.ts'

/** The last upload replaces the one before; it may come before the submission. */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  const folded = targets === 'ALL' ? targets : [...new Set(targets)]
  step.emit({ type: 'impactedTargetsSet', number, targets: folded })
  reviewReadiness(step, number)
  return null
}
