/** What a benchmark answers with, and what it is given. Plain JSON, all of it. */

import type { Spread } from './spread.ts'

/** Of the numbers in a figure; people are shown `12.3 µs` for 12,300 `ns`. */
export type Unit = 'ns' | 'bytes' | 'per second' | 'times' | 'share'

export type Figure = {
  /** Unique within its benchmark: comparisons find it by this name. */
  readonly name: string
  readonly unit: Unit
  readonly value: Spread
  /** How it compares with another figure of the same run. */
  readonly ratio?: { readonly to: string; readonly value: Spread }
}

/** A promise: a figure that has to stay below, or above, some bound. */
export type Target = {
  /** A sentence that the figure completes: `a simulated event costs, in pops and pushes`. */
  readonly name: string
  readonly unit: Unit
  readonly value: Spread
  readonly bound: { readonly kind: 'at most' | 'at least'; readonly value: number }
  readonly isMet: boolean
}

/** How a figure grows with something. */
export type Curve = {
  readonly name: string
  readonly x: string
  readonly y: string
  readonly unit: Unit
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export type Measured = {
  readonly figures: readonly Figure[]
  readonly targets: readonly Target[]
  readonly curves: readonly Curve[]
  /** What a reader has to know to judge the figures. */
  readonly notes: readonly string[]
}

export type Effort = {
  /** Everything once and small: to see that it works, not how fast it is. */
  readonly isQuick: boolean
  /** Says what is being measured. */
  readonly progress: (doing: string) => void
  readonly signal: AbortSignal
}

export type Benchmark = {
  readonly name: string
  /** One line for people. */
  readonly title: string
  readonly measure: (effort: Effort) => Promise<Measured>
}

export type Bound = Target['bound']

export const atMost = (value: number): Bound => ({ kind: 'at most', value })
export const atLeast = (value: number): Bound => ({ kind: 'at least', value })

/** A target is met when the median keeps to the bound. */
export function target(name: string, unit: Unit, value: Spread, bound: Bound): Target {
  const isMet = bound.kind === 'at most' ? value.median <= bound.value : value.median >= bound.value
  return { name, unit, value, bound, isMet }
}

/** What is left out is empty. */
export function measured(parts: Partial<Measured>): Measured {
  return { figures: [], targets: [], curves: [], notes: [], ...parts }
}
