/** The input from which the parts of a swarm scenario are generated. */

import type { Draw } from '../random/draw.ts'
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

/**
 * The random choices of one swarm scenario. Each is keyed by what it decides, so that an additional
 * choice changes none of the others.
 */
type NonEmpty = readonly [unknown, ...unknown[]]

export type Dice = {
  /** True with this probability. */
  chance(what: string, rate: number): boolean
  /** One of the list, all equally likely. */
  pick<const List extends NonEmpty>(what: string, list: List): List[number]
  /** A whole number, both ends included. */
  between(what: string, from: number, to: number): number
}

export function diceOf(draw: Draw): Dice {
  const below = (what: string, end: number): number => draw.integer('swarm choice', what, end)
  return {
    chance: (what, rate) => draw.chance('swarm choice', what, rate),
    pick: (what, list) => list[below(what, list.length)] ?? list[0],
    between: (what, from, to) => from + below(what, to - from + 1),
  }
}
