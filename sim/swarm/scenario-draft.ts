/** The input from which the parts of a swarm scenario are generated. */

import type { Dice } from './dice.ts'
import type { Feature } from './features.ts'

export type ScenarioDraft = {
  readonly dice: Dice
  readonly has: (feature: Feature) => boolean
}

/** The typical length of a run in the swarm, in minutes. All other times are based on it. */
export const typicalMinutes = 10

type MinuteSpan = { readonly from: number; readonly to: number }

/**
 * Draws an instant, in minutes. With a coarse clock it is a multiple of half a run, so that
 * results, submissions and cancels often coincide.
 */
export function instant(
  { dice, has }: ScenarioDraft,
  what: string,
  { from, to }: MinuteSpan,
): number {
  if (!has('coarse clock')) return dice.between(what, from * tenths, to * tenths) / tenths
  const stepMinutes = typicalMinutes / 2
  return (
    stepMinutes * dice.between(what, Math.floor(from / stepMinutes), Math.floor(to / stepMinutes))
  )
}

const tenths = 10
