/**
 * The random choices of one swarm scenario. Each is keyed by what it decides, so that an additional
 * choice changes none of the others.
 */

import type { Draw } from '../random/draw.ts'

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
