/** What the levers of a queue cost and save, on one queue after the other. Plain JSON. */

import type { Interval } from '../../sim/statistics/interval.ts'

/** The figures that judge a lever. Less is better in all of them. */
export const leverFigures = {
  p95: { title: 'p95 to land', unit: 'min' },
  p50: { title: 'p50 to land', unit: 'min' },
  ciMinutes: { title: 'CI min per landed', unit: '' },
  evicted: { title: 'healthy evicted', unit: '' },
  unproven: { title: 'unproven merges', unit: '' },
} as const satisfies Record<string, { readonly title: string; readonly unit: string }>

export type LeverFigure = keyof typeof leverFigures

export const leverFigureNames: readonly LeverFigure[] = [
  'p95',
  'p50',
  'ciMinutes',
  'evicted',
  'unproven',
]

/** How a figure compares with the same queue without levers: 0.55 as a ratio, -68 as a difference. */
export type LeverEffect = { readonly measure: 'ratio' | 'difference'; readonly size: Interval }

export type LeverRow = {
  /** `no lever`, the name of a lever, or `all together`. */
  readonly lever: string
  readonly means: Readonly<Record<LeverFigure, Interval | null>>
  /** Null for the row without a lever. */
  readonly effects: Readonly<Record<LeverFigure, LeverEffect | null>> | null
}

export type LeverStudy = {
  readonly archetype: string
  /** The setting that the levers change. */
  readonly setting: string
  readonly seeds: number
  /** The row without a lever first. */
  readonly rows: readonly LeverRow[]
}

/** A policy that was tried and did not help; its code is gone. */
export type TriedInVain = { readonly policy: string; readonly found: string }

export type LeverStudies = {
  readonly studies: readonly LeverStudy[]
  readonly inVain: readonly TriedInVain[]
}
