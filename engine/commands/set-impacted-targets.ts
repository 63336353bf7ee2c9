import type { ImpactedTargets } from '../model/targets.ts'
import type { SetImpactedTargets } from '../protocol/commands.ts'
import { reviewReadiness } from '../rules/readiness.ts'
import type { Decide } from './decide.ts'

/** The last upload replaces the one before; it may come before the submission. */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  step.emit({ type: 'impactedTargetsSet', number, targets: eachOnce(targets) })
  reviewReadiness(step, number)
  return null
}

/** A list may be long: where nothing is named twice, it stays the list it is. */
function eachOnce(targets: ImpactedTargets): ImpactedTargets {
  if (targets === 'ALL') return targets
  const names = new Set(targets)
  return names.size === targets.length ? targets : [...names]
}
