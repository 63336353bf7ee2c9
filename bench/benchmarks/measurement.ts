/**
 * The input and the result of a benchmark, and how it measures: in turns, by processor time where others may
 * take time, as a median with its range. Results are plain JSON.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Bench } from 'tinybench'
import { quantileOf } from '../../sim/statistics/interval.ts'
import type { Source } from '../calibration/published-figure.ts'

/** The unit of the numbers in a figure. Reports scale them: 12,300 `ns` are shown as `12.3 µs`. */
export type Unit = 'ns' | 'bytes' | 'per second' | 'times' | 'share'

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

export type Measured = {
  readonly figures: readonly Figure[]
  readonly targets: readonly Target[]
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
    figures: [],
    targets: [],
    published: [],
    notes: [],
    ...parts,
  }
}

export type Spread = {
  readonly median: number
  readonly low: number
  readonly high: number
  readonly samples: number
}

/** Returns median and range of the samples. Throws if there are none. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b)
  const [low] = sorted
  const high = sorted.at(-1)
  if (low === undefined || high === undefined) throw new Error('nothing was measured')
  return { median: quantileOf(sorted, 1 / 2), low, high, samples: sorted.length }
}

/**
 * Returns the ratios of two figures that were measured in turns, one ratio per round. A machine
 * that is slow for a while slows both figures down, so the ratio stays the same.
 * Throws if the numbers of rounds differ.
 */
export function ratioOf(over: readonly number[], under: readonly number[]): Spread {
  return spreadOf(ratiosOf(over, under))
}

/** The same for many rounds, whose extremes say little: the range holds the median in 95 of 100 cases. */
export function medianRatioOf(over: readonly number[], under: readonly number[]): Spread {
  const ratios = ratiosOf(over, under).sort((a, b) => a - b)
  // In 95 of 100 cases so many ranks at most lie between the middle of the sample and the true median.
  const reach = 0.98 * Math.sqrt(ratios.length)
  const middle = (ratios.length - 1) / 2
  const low = ratios[Math.max(0, Math.floor(middle - reach))]
  const high = ratios[Math.min(ratios.length - 1, Math.ceil(middle + reach))]
  const spread = spreadOf(ratios)
  return { ...spread, low: low ?? spread.low, high: high ?? spread.high }
}

function ratiosOf(over: readonly number[], under: readonly number[]): number[] {
  if (over.length !== under.length) throw new Error('a ratio needs both figures of every round')
  return over.map((value, round) => value / (under[round] ?? NaN))
}

/** What is measured: a call returns how many units of work it did. */
export type Work = {
  readonly run: () => number
  /** Called before each measurement, outside of it. */
  readonly before?: () => void
}

const usPerMs = 1000
const nsPerMs = 1e6

/** The processor time of the process until now, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / usPerMs
}

/**
 * Does the work once. Returns the processor time of the process meanwhile, garbage collection included, in
 * nanoseconds per unit of work. Other processes may delay the work; their time is not part of its cost.
 */
function cpuNs({ run, before }: Work): number {
  let units = 0
  const once = { now: cpuMs, time: 0, iterations: 1, warmup: false, throws: true }
  const bench = new Bench(once)
  const call = (): void => void (units = run())
  bench.add('work', call, { async: false, ...(before && { beforeEach: before }) })
  const [{ result } = {}] = bench.runSync()
  if (result?.state !== 'completed') throw new Error('the work could not be measured')
  return (result.latency.mean * nsPerMs) / units
}

export type TurnCounts = {
  /** Rounds that do not count: the just-in-time compiler still optimizes the code. */
  readonly warmups: number
  readonly rounds: number
}

const quick: TurnCounts = { warmups: 0, rounds: 1 }

/**
 * Measures the works in turns: each one once per round. Returns a list of costs for each of them, in the order of
 * `works`, in nanoseconds per unit of work.
 */
export async function costsInTurns(
  works: readonly Work[],
  turns: TurnCounts,
  { isQuick, signal }: Effort,
): Promise<readonly (readonly number[])[]> {
  const costs: number[][] = works.map(() => [])
  const { warmups, rounds } = isQuick ? quick : turns
  for (let round = -warmups; round < rounds && !signal.aborted; round++) {
    for (const [index, work] of works.entries()) {
      const cost = cpuNs(work)
      if (round >= 0) costs[index]?.push(cost)
      await nextTurn()
    }
  }
  return costs
}
