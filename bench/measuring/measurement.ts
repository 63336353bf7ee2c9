/** The input and the result of a benchmark. Results are plain JSON. */

import type { Source } from './published-figure.ts'
import type { Spread } from './spread.ts'

/** The unit of the numbers in a figure. Reports scale them: 12,300 `ns` are shown as `12.3 µs`. */
export type Unit = 'ns' | 'bytes' | 'per second' | 'requests' | 'times' | 'share'

export type Figure = {
  /** Unique in its benchmark: comparisons find figures by name. */
  readonly name: string
  readonly unit: Unit
  readonly value: Spread
  /** The ratio to another figure of the same run. */
  readonly ratio?: { readonly to: string; readonly value: Spread }
}

/** A figure with an upper or lower bound that it must not cross. */
export type Target = {
  /** A phrase that the value completes: `a simulated event, in pops and pushes`. */
  readonly name: string
  readonly unit: Unit
  readonly value: Spread
  readonly bound: { readonly kind: 'at most' | 'at least'; readonly value: number }
  readonly isMet: boolean
}

/** How a figure `y` grows with a quantity `x`. */
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
  /** Figures of others beside ours; empty if the benchmark compares none. */
  readonly published: readonly Source[]
  /** Facts that a reader needs to judge the figures. */
  readonly notes: readonly string[]
}

export type Effort = {
  /** True for a smoke run: everything once and small. Its figures mean nothing. */
  readonly isQuick: boolean
  /** A folder with histories of builds, for benchmarks that replay them; null for none. */
  readonly traces: string | null
  /** Reports what is being measured now. */
  readonly progress: (doing: string) => void
  readonly signal: AbortSignal
}

export type Benchmark = {
  readonly name: string
  /** One line for the help text and the report. */
  readonly title: string
  readonly measure: (effort: Effort) => Promise<Measured>
}

export type Bound = Target['bound']

export const atMost = (value: number): Bound => ({ kind: 'at most', value })
export const atLeast = (value: number): Bound => ({ kind: 'at least', value })

/** Returns a target. It is met if the median of `value` is within the bound. */
export function target(name: string, unit: Unit, value: Spread, bound: Bound): Target {
  const isMet = bound.kind === 'at most' ? value.median <= bound.value : value.median >= bound.value
  return { name, unit, value, bound, isMet }
}

/** Returns a result. Parts that are left out are empty. */
export function measured(parts: Partial<Measured>): Measured {
  return {
    ...{ figures: [], targets: [], curves: [], published: [], notes: [] },
    ...parts,
  }
}
