/** What the parts of a swarm scenario are made from. */

import type { Dice } from './dice.ts'
import type { Feature } from './features.ts'

export type Sketch = {
  readonly dice: Dice
  readonly has: (feature: Feature) => boolean
}

/** How long a run typically takes in the swarm, in minutes; everything else is timed by it. */
export const typicalMinutes = 10

type Span = { readonly from: number; readonly to: number }

/**
 * An instant, in minutes. With the coarse clock it is a multiple of half a run, so that results,
 * submissions and cancels come at one instant all the time.
 */
export function instant({ dice, has }: Sketch, what: string, { from, to }: Span): number {
  if (!has('coarse clock')) return dice.between(what, from * tenths, to * tenths) / tenths
  const grain = typicalMinutes / 2
  return grain * dice.between(what, Math.floor(from / grain), Math.floor(to / grain))
}

const tenths = 10
