/** Impacted targets in the swarm: hubs that many pull requests share, rare ones, ALL, and none. */

import type { ImpactedTargets } from '../../engine/index.ts'
import type { Dice, ScenarioDraft } from './scenario-draft.ts'

const hubs = ['core', 'core', 'web', 'api'] as const
const leaves = ['docs', 'ios', 'billing', 'search', 'web', 'api'] as const

/** Returns the targets that are uploaded before the submission; null if none are. */
export function targetsOf(draft: ScenarioDraft, index: number): ImpactedTargets | null {
  const { dice, has } = draft
  const areUsed = has('parallel mode') || has('mode switches')
  if (!areUsed || dice.chance(`no targets yet ${index}`, 0.1)) return null
  return someTargets(draft, `${index}`)
}

/** Returns a list of targets, or ALL. `what` is part of the draw keys. */
export function someTargets({ dice, has }: ScenarioDraft, what: string): ImpactedTargets {
  const kind = dice.between(`targets ${what}`, 1, 100)
  if (kind <= 8) return 'ALL'
  if (kind <= 18) return []
  if (has('long target lists') && dice.chance(`long list ${what}`, 0.5)) {
    return longList(dice, what)
  }
  const leaf = dice.pick(`leaf ${what}`, leaves)
  if (kind <= 60) return [leaf]
  const hub = dice.pick(`hub ${what}`, hubs)
  return kind <= 75 || hub === leaf ? [hub] : [leaf, hub]
}

/** Rare ones first, so that two lists mostly share one that stands far behind. */
function longList(dice: Dice, what: string): string[] {
  const own = Array.from({ length: dice.between(`own targets ${what}`, 2, 40) }, (_, nth) => {
    return `only ${what} ${nth}`
  })
  return [...own, dice.pick(`leaf behind ${what}`, leaves), dice.pick(`hub behind ${what}`, hubs)]
}
