/** Parsers for option values that several commands share. */

import type { SeedRange } from '../random/seeds.ts'
import type { BadInput } from '../scenario/bad-input.ts'

/** Returns the error for the option that is being parsed. */
type FaultOf = (expected: string) => BadInput

const largest = 999_999_999_999_999

/** Parses a whole number from 0 to `most`. Throws the error of `faultOf` for any other text. */
export function wholeNumber(text: string, faultOf: FaultOf, most = largest): number {
  const number = /^\d+$/.test(text) ? Number(text) : NaN
  if (number <= most) return number
  throw faultOf(`a whole number${most === largest ? '' : ` up to ${most}`}`)
}

/** Parses a range of seeds: `200` means 1 to 200, and `50..99` includes both ends. */
export function seedRange(text: string, faultOf: FaultOf): SeedRange {
  const [first = '', last, ...more] = text.split('..')
  const from = last === undefined ? 1 : wholeNumber(first, faultOf)
  const to = wholeNumber(last ?? first, faultOf)
  if (more.length > 0 || to < from) throw faultOf('n, or a..b with a <= b')
  return { from, to }
}
