/** Aggregates the figures of many runs: each by its dotted path, with its confidence interval. */

import { centreOf, intervalOf, boundsOf } from '../statistics/interval.ts'
import type { Figures } from './result-document.ts'

/** The figures of one run by dotted path, like `totals.testRuns`, without null values. */
export type FlatFigures = Readonly<Record<string, number>>

export type Aggregate = {
  readonly mean: number
  /** The 95 % confidence interval of the mean; null if there is none (S-221). */
  readonly ci95: readonly [number, number] | null
  readonly min: number
  readonly max: number
  /** How many runs have the figure, if not all do: where nothing merged there is no time. */
  readonly runs?: number
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
  #runs = 0

  add(run: FlatFigures): void {
    this.#runs++
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
      [...this.#columns].map(([path, values]) => {
        const some = values.length < this.#runs ? { runs: values.length } : {}
        return [path, { ...aggregateOf(values), ...some }]
      }),
    )
  }
}

/** Aggregates at least one value, in the order of the runs, so that the same runs give the same bytes. */
function aggregateOf(values: readonly number[]): Aggregate {
  const interval = intervalOf(values)
  const { least: min, most: max } = boundsOf(values)
  const ci95 = interval.kind === 'interval' ? ([interval.low, interval.high] as const) : null
  return { mean: centreOf(interval), ci95, min, max }
}
