/** Aggregates the figures of many runs: each by its dotted path, with its confidence interval. */

import type { Figures } from './result-document.ts'

/** The figures of one run by dotted path, like `totals.testRuns`, without null values. */
export type FlatFigures = Readonly<Record<string, number>>

export type Aggregate = {
  readonly mean: number
  /** The 95 % confidence interval of the mean (Student's t); null for one run, which has none. */
  readonly ci95: readonly [number, number] | null
  readonly min: number
  readonly max: number
}

/** Returns all numbers of a result except the seed and the lane clashes. */
export function flatFigures(figures: Figures): FlatFigures {
  const flat: Record<string, number> = {}
  const { scenario: _scenario, seed: _seed, traceHash: _traceHash, ...rest } = figures
  const { laneClashes: _laneClashes, ...measured } = rest
  collect(measured, '', flat)
  return flat
}

function collect(value: unknown, path: string, into: Record<string, number>): void {
  if (typeof value === 'number') into[path] = value
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    collect(inner, path === '' ? name : `${path}.${name}`, into)
  }
}

/** The figures of many runs by path. Nothing else of a run is kept. */
export class Columns {
  readonly #columns = new Map<string, number[]>()

  add(run: FlatFigures): void {
    for (const [path, value] of Object.entries(run)) {
      const column = this.#columns.get(path)
      if (column) column.push(value)
      else this.#columns.set(path, [value])
    }
  }

  /** Returns the values of a figure in all runs that have it, in the order of the runs. */
  valuesOf(path: string): readonly number[] {
    return this.#columns.get(path) ?? []
  }

  /** Returns the aggregate of each figure that any run has, in the order of the result document. */
  aggregates(): Record<string, Aggregate> {
    return Object.fromEntries(
      [...this.#columns].map(([path, values]) => [path, aggregateOf(values)]),
    )
  }
}

/**
 * Aggregates at least one value. It sums the values in order, so that the same runs give the same
 * bytes.
 */
function aggregateOf(values: readonly number[]): Aggregate {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const half = studentT(n - 1) * Math.sqrt(squares / (n - 1) / n)
  const { min, max } = values.reduce(
    (bounds, value) => ({ min: Math.min(bounds.min, value), max: Math.max(bounds.max, value) }),
    { min: Infinity, max: -Infinity },
  )
  return { mean, ci95: n < 2 ? null : [mean - half, mean + half], min, max }
}

/** The 97.5 % quantile of Student's t for 1 to 30 degrees of freedom. */
const studentTable = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
]

/** Beyond the table: the normal quantile with its first correction, exact to three digits. */
function studentT(degrees: number): number {
  const z = 1.959964
  return studentTable[degrees - 1] ?? z + (z ** 3 + z) / (4 * degrees)
}
