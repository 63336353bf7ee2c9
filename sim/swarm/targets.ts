/** Impacted targets in the swarm: hubs that many pull requests share, rare ones, ALL, and none. */

import type { ImpactedTargets } from '../../engine/index.ts'
import type { ScenarioDraft } from './scenario-draft.ts'

const hubs = ['core', 'core', 'web', 'api'] as const
const leaves = ['docs', 'ios', 'billing', 'search', 'web', 'api'] as const

/** Returns the targets that are uploaded before the submission; null if none are. */
export function targetsOf({ dice, has }: ScenarioDraft, index: number): ImpactedTargets | null {
  const areUsed = has('parallel mode') || has('mode switches')
  if (!areUsed || dice.chance(`no targets yet ${index}`, 0.1)) return null
  return someTargets({ dice }, `${index}`)
}

/** Returns a list of targets, or ALL. `what` is part of the draw keys. */
export function someTargets({ dice }: Pick<ScenarioDraft, 'dice'>, what: string): ImpactedTargets {
  const kind = dice.between(`targets ${what}`, 1, 100)
  if (kind <= 8) return 'ALL'
  if (kind <= 18) return []
  const leaf = dice.pick(`leaf ${what}`, leaves)
  if (kind <= 60) return [leaf]
  const hub = dice.pick(`hub ${what}`, hubs)
  return kind <= 75 || hub === leaf ? [hub] : [leaf, hub]
}
