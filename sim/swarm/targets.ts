/** Impacted targets of the swarm: a hub that many touch, some that few do, ALL, and none at all. */

import type { ImpactedTargets } from '../../engine/index.ts'
import type { Sketch } from './sketch.ts'

const hubs = ['core', 'core', 'web', 'api'] as const
const leaves = ['docs', 'ios', 'billing', 'search', 'web', 'api'] as const

/** What the build uploads before the submission; null when it has not said anything by then. */
export function targetsOf({ dice, has }: Sketch, index: number): ImpactedTargets | null {
  const isOfUse = has('parallel mode') || has('mode switches')
  if (!isOfUse || dice.chance(`no targets yet ${index}`, 0.1)) return null
  return someTargets({ dice }, `${index}`)
}

/** A list of targets, or ALL; `what` tells one draw from another. */
export function someTargets({ dice }: Pick<Sketch, 'dice'>, what: string): ImpactedTargets {
  const kind = dice.between(`targets ${what}`, 1, 100)
  if (kind <= 8) return 'ALL'
  if (kind <= 18) return []
  const leaf = dice.pick(`leaf ${what}`, leaves)
  if (kind <= 60) return [leaf]
  const hub = dice.pick(`hub ${what}`, hubs)
  return kind <= 75 || hub === leaf ? [hub] : [leaf, hub]
}
