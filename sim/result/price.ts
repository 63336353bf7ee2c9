/** The price of a queue: CI minutes and the hours that pull requests wait, in one total (S-244). */

import { count } from '../../server/terminal/text.ts'
import type { Prices } from '../scenario/scenario.ts'

/** What is paid for. */
export type Costs = { readonly testMinutes: number; readonly waitedHours: number }

export type Price = {
  readonly ci: number
  readonly waiting: number
  readonly total: number
}

export type RunPrice = Price & {
  /** The total for each pull request that landed; null if none did. */
  readonly perLanded: number | null
}

/** Returns the price; null if neither price was given. One that was not given counts as 0. */
export function priceOf(
  { testMinutes, waitedHours }: Costs,
  { ciMinute, waitingHour }: Prices,
): Price | null {
  if (ciMinute === undefined && waitingHour === undefined) return null
  const ci = rounded(testMinutes * (ciMinute ?? 0))
  const waiting = rounded(waitedHours * (waitingHour ?? 0))
  return { ci, waiting, total: rounded(ci + waiting) }
}

/** Returns the price of a run in which `landed` pull requests landed; null if it has none. */
export function runPriceOf(costs: Costs, landed: number, prices: Prices): RunPrice | null {
  const price = priceOf(costs, prices)
  return price && { ...price, perLanded: landed === 0 ? null : rounded(price.total / landed) }
}

/** Six digits: sums of decimal fractions have digits that mean nothing. */
const rounded = (price: number): number => Math.round(price * 1e6) / 1e6

// Prices as text. The currency is not named, because nobody gave one.

/** `12,345.60`: two digits, and more for small amounts. */
export function amount(price: number): string {
  const digits = price !== 0 && Math.abs(price) < 0.1 ? 4 : 2
  const [whole = '', fraction = ''] = price.toFixed(digits).split('.')
  return `${count(Number(whole))}.${fraction}`
}

/** The parts of a price, and what each pull request that landed costs. */
export function priceNote({ ci, waiting, perLanded }: RunPrice): string {
  const each = perLanded === null ? '' : `; ${amount(perLanded)} per landed pull request`
  return `CI ${amount(ci)}, waiting ${amount(waiting)}${each}`
}
