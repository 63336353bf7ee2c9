/** Parsers for option values that several commands share. */

import type { SeedRange } from '../random/seeds.ts'
import { wholeNumber, type FaultOf } from '../../terminal/options.ts'

const largestPrice = 1_000_000

/** Parses a price: `0.1`, `3`, `12.50`. */
export function amountOf(text: string, faultOf: FaultOf): number {
  const price = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN
  if (price <= largestPrice) return price
  throw faultOf(`a number from 0 to ${largestPrice}, for example 0.1`)
}

const mostMinutes = 52_560_000

/**
 * Parses the time after which an evicted pull request comes again, in minutes. Null: it does not,
 * for `0` and `never`.
 */
export function resubmitAfter(text: string, faultOf: FaultOf): number | null {
  if (text === 'never' || text === '0') return null
  const minutes = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN
  if (minutes >= 1 && minutes <= mostMinutes) return minutes
  throw faultOf('minutes, at least 1; or never')
}

/** Parses a range of seeds: `200` means 1 to 200, and `50..99` includes both ends. */
export function seedRange(text: string, faultOf: FaultOf): SeedRange {
  const fault: FaultOf = () => faultOf('n, or a..b with a <= b, in whole numbers from 0')
  const [first = '', last, ...more] = text.split('..')
  const from = last === undefined ? 1 : wholeNumber(first, fault)
  const to = wholeNumber(last ?? first, fault)
  if (more.length > 0 || to < from) throw fault('')
  return { from, to }
}
