/** Chooses a linear or a logarithmic axis that shows all values. */

import { count } from '../../server/terminal/text.ts'

export type Axis = {
  readonly scale: {
    readonly type: 'linear' | 'log'
    readonly domain: number[]
    readonly nice: false
    readonly zero?: false
  }
  readonly ticks:
    | { readonly values: number[]; readonly labelExpr: string }
    | { readonly tickCount: number }
  /** The position of a value on the axis, from 0 to 1. */
  readonly positionOf: (value: number) => number
}

type AxisOptions = {
  /** The approximate number of ticks. */
  readonly wanted: number
  /** Free space at both ends, as a share of the axis. With `isFromZero` only at the far end. */
  readonly padding: number
  /** True if a linear axis begins at zero. */
  readonly isFromZero?: boolean
}

/** On a linear axis, one value ten times as large would leave no room between the others. */
const widestLinear = 10

/** True if the values need a logarithmic axis. */
export function isFarSpread(values: readonly number[]): boolean {
  const least = Math.min(...values)
  return least > 0 && Math.max(...values) / least > widestLinear
}

/** Returns an axis that shows all values. It is logarithmic if the values are far apart. */
export function axisOver(values: readonly number[], options: AxisOptions): Axis {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return isFarSpread(values) ? logarithmic(least, most, options) : linear(least, most, options)
}

function linear(least: number, most: number, { wanted, padding, isFromZero }: AxisOptions): Axis {
  const start = isFromZero === true ? Math.min(0, least) : least
  const spare = most === start ? 1 : padding * (most - start)
  // Times and costs are never negative.
  const low = isFromZero === true ? start : Math.max(Math.min(0, least), start - spare)
  const high = most + spare
  return {
    scale: { type: 'linear', domain: [low, high], nice: false, zero: false },
    ticks: { tickCount: Math.floor(wanted) },
    positionOf: (value) => (value - low) / (high - low),
  }
}

function logarithmic(
  least: number,
  most: number,
  { wanted, padding, isFromZero }: AxisOptions,
): Axis {
  const spare = (most / least) ** padding
  const [low, high] = [least / (isFromZero === true ? 1.2 : spare), most * spare]
  const values = factorTicks([least, most], wanted).filter((tick) => tick >= low && tick <= high)
  const labels = Object.fromEntries(values.map((tick) => [String(tick), shortCount(tick)]))
  return {
    scale: { type: 'log', domain: [low, high], nice: false },
    ticks: { values, labelExpr: `${JSON.stringify(labels)}[datum.value]` },
    positionOf: (value) => Math.log(value / low) / Math.log(high / low),
  }
}

// Round numbers for the ticks of logarithmic axes.

/** Formats a tick: `0.5`, `500`, `20 k`, `1 M`. */
function shortCount(tick: number): string {
  if (tick >= 1e6) return `${count(tick / 1e6)} M`
  if (tick >= 1e4) return `${count(tick / 1e3)} k`
  return tick < 1 ? String(tick) : count(tick)
}

/** The possible series of round numbers, from the densest to the sparsest. */
const series = [
  { base: 10, within: [1, 2, 5] },
  { base: 10, within: [1, 3] },
  { base: 10, within: [1] },
  { base: 100, within: [1] },
]

/**
 * Returns ticks that enclose all values: at least two, and at most `wanted` if a series allows it.
 */
export function factorTicks(values: readonly number[], wanted: number): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const found = series.map(({ base, within }) => {
    const powerBelow = (value: number): number => Math.floor(Math.log(value) / Math.log(base))
    const all: number[] = []
    for (let power = powerBelow(least) - 1; power <= powerBelow(most) + 1; power++) {
      all.push(...within.map((step) => Number((step * base ** power).toPrecision(15))))
    }
    const first = all.findLastIndex((tick) => tick <= least)
    const last = all.findIndex((tick) => tick >= most)
    return all.slice(first, Math.max(last, first + 1) + 1)
  })
  return found.find((ticks) => ticks.length <= wanted) ?? found.at(-1) ?? []
}
