import { withoutDuplicates } from '../model/each-once.ts'
import type { SetImpactedTargets } from '../protocol/commands.ts'
import { reviewReadiness } from '../transitions/readiness.ts'
import type { Decide } from './decide.ts'

/**
 * Stores uploaded targets, also before the submission. They replace an earlier upload. A list that
 * contains the name `ALL` is `ALL`.
 */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  const isAll = targets === 'ALL' || targets.includes('ALL')
  const named = isAll ? 'ALL' : withoutDuplicates(targets)
  step.emit({ type: 'impactedTargetsSet', number, targets: named })
  reviewReadiness(step, number)
  return null
}
