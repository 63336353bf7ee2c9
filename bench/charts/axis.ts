/** Chooses a linear or a logarithmic axis that shows all values. */

import { factorTicks, shortCount } from './ticks.ts'

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
  const values = factorTicks([least, most], 'tens', wanted).filter(
    (tick) => tick >= low && tick <= high,
  )
  const labels = Object.fromEntries(values.map((tick) => [String(tick), shortCount(tick)]))
  return {
    scale: { type: 'log', domain: [low, high], nice: false },
    ticks: { values, labelExpr: `${JSON.stringify(labels)}[datum.value]` },
    positionOf: (value) => Math.log(value / low) / Math.log(high / low),
  }
}
