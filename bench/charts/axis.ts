/** An axis that shows everything that lies on it, evenly or by factors. */

import { factorTicks, shortCount } from './ticks.ts'

export type Axis = {
  readonly scale: {
    readonly type: 'linear' | 'log'
    readonly domain: number[]
    readonly nice: false
    readonly zero?: false
  }
  readonly ticks:
    { readonly values: number[]; readonly labelExpr: string } | { readonly tickCount: number }
  /** How far along it a value lies, from 0 to 1. */
  readonly placeOf: (value: number) => number
}

type Wish = {
  /** About so many ticks. */
  readonly wanted: number
  /** To leave at its ends, as a share of it; at the far end alone where `isFromZero`. */
  readonly room: number
  readonly isFromZero?: boolean
}

/** Who is ten times as slow would press all others into one corner. */
const widestEven = 10

export function isFarSpread(values: readonly number[]): boolean {
  const least = Math.min(...values)
  return least > 0 && Math.max(...values) / least > widestEven
}

export function axisOver(values: readonly number[], wish: Wish): Axis {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return isFarSpread(values) ? byFactors(least, most, wish) : evenly(least, most, wish)
}

function evenly(least: number, most: number, { wanted, room, isFromZero }: Wish): Axis {
  const start = isFromZero === true ? Math.min(0, least) : least
  const spare = most === start ? 1 : room * (most - start)
  // Times and costs are never below nothing.
  const low = isFromZero === true ? start : Math.max(Math.min(0, least), start - spare)
  const high = most + spare
  return {
    scale: { type: 'linear', domain: [low, high], nice: false, zero: false },
    ticks: { tickCount: Math.floor(wanted) },
    placeOf: (value) => (value - low) / (high - low),
  }
}

function byFactors(least: number, most: number, { wanted, room, isFromZero }: Wish): Axis {
  const spare = (most / least) ** room
  const [low, high] = [least / (isFromZero === true ? 1.2 : spare), most * spare]
  const values = factorTicks([least, most], 'tens', wanted).filter(
    (tick) => tick >= low && tick <= high,
  )
  const labels = Object.fromEntries(values.map((tick) => [String(tick), shortCount(tick)]))
  return {
    scale: { type: 'log', domain: [low, high], nice: false },
    ticks: { values, labelExpr: `${JSON.stringify(labels)}[datum.value]` },
    placeOf: (value) => Math.log(value / low) / Math.log(high / low),
  }
}
