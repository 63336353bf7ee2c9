import { followUpload } from '../line/restart.ts'
import { withoutDuplicates } from '../model/each-once.ts'
import { groupWith } from '../model/predecessors.ts'
import type { SetImpactedTargets } from '../protocol/commands.ts'
import { reviewReadiness } from '../transitions/readiness.ts'
import type { Decide } from './decide.ts'

/**
 * Stores uploaded targets, also before the submission. They replace an earlier upload. A list that
 * contains the name `ALL` is `ALL`. A group in the line that shares more than before waits for those
 * that were tested without it. Rules: E-94, E-143.
 */
export const setImpactedTargets: Decide<SetImpactedTargets> = (step, { number, targets }) => {
  const isAll = targets === 'ALL' || targets.includes('ALL')
  const named = isAll ? 'ALL' : withoutDuplicates(targets)
  const group = groupWith(step.queue, number)
  const before = group?.targets ?? 'ALL'
  step.emit({ type: 'impactedTargetsSet', number, targets: named })
  reviewReadiness(step, number)
  if (group) followUpload(step, group, before)
  return null
}
