/** The shares of intervals that hold the truth, as targets and as a table. */

import { columns } from '../../sim/terminal/text.ts'
import {
  atLeast,
  atMost,
  target,
  type Bound,
  type Figure,
  type Target,
} from '../measuring/measurement.ts'
import { spreadOf } from '../measuring/spread.ts'
import type { Coverage } from './coverage-worker.ts'

export type CoverageRow = {
  readonly archetype: string
  /** `p95`. */
  readonly figure: string
  /** True for a comparison with the other setting, false for a mean. */
  readonly isComparison: boolean
  /** By the seeds of a block, as in the head of the table. */
  readonly coverage: readonly Coverage[]
}

const [fewest, most] = [0.92, 0.98]

/**
 * The seeds of a final of tune. Smaller blocks are measured, but nothing is promised of them: an event
 * of one seed in ten is missing from one block of twenty in eight, and no interval can know of it.
 */
const fewestPromised = 40

export function targetsOf(rows: readonly CoverageRow[], sizes: readonly number[]): Target[] {
  const shares = rows.flatMap(({ coverage }) =>
    coverage.filter((_, index) => (sizes[index] ?? 0) >= fewestPromised).map(({ held }) => held),
  )
  const [least, greatest] = [Math.min(...shares), Math.max(...shares)]
  const judged = (name: string, value: number, bound: Bound): Target =>
    target(name, 'share', spreadOf([value]), bound)
  return [
    judged(
      `from ${fewestPromised} seeds on, the least share of intervals that hold`,
      least,
      atLeast(fewest),
    ),
    judged(
      `from ${fewestPromised} seeds on, the greatest share of intervals that hold`,
      greatest,
      atMost(most),
    ),
  ]
}

/** Returns a figure per archetype for its means and one for its comparisons; the table has all. */
export function figuresOf(rows: readonly CoverageRow[]): Figure[] {
  const groups = new Map<string, number[]>()
  for (const { archetype, isComparison, coverage } of rows) {
    const name = `${archetype}, ${isComparison ? 'comparisons' : 'means'}`
    groups.set(name, [...(groups.get(name) ?? []), ...coverage.map(({ held }) => held)])
  }
  return [...groups].map(([name, shares]) => ({ name, unit: 'share', value: spreadOf(shares) }))
}

/** Returns the table line by line: shares in percent, and in brackets those below and above. */
export function coverageLines(rows: readonly CoverageRow[], sizes: readonly number[]): string[] {
  const head = ['', '', ...sizes.map((size) => `${size} seeds`)]
  const lines = rows.map(({ archetype, figure, isComparison, coverage }) => [
    archetype,
    isComparison ? `${figure} compared` : figure,
    ...coverage.map(
      ({ held, below, above }) => `${percent(held)} (${percent(below)} + ${percent(above)})`,
    ),
  ])
  const right = sizes.map((_, index) => index + 2)
  return columns([head, ...lines], right)
    .trimEnd()
    .split('\n')
}

const percent = (share: number): string => (100 * share).toFixed(1)
