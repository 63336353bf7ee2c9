/** The price of a queue: CI minutes and the hours that pull requests wait, in one total (S-244). */

/** Prices in any currency; null if the user gave none. */
export type Prices = {
  /** Of a minute of CI. */
  readonly ciMinute: number | null
  /** Of an hour that a pull request waits from its first submission to its merge. */
  readonly waitingHour: number | null
}

/** What is paid for. */
export type Costs = { readonly testMinutes: number; readonly waitedHours: number }

export type Price = {
  readonly ci: number
  readonly waiting: number
  readonly total: number
}

export const noPrices: Prices = { ciMinute: null, waitingHour: null }

/** Returns the price; null if neither price was given. One that was not given counts as 0. */
export function priceOf({ testMinutes, waitedHours }: Costs, prices: Prices): Price | null {
  const { ciMinute, waitingHour } = prices
  if (ciMinute === null && waitingHour === null) return null
  const ci = testMinutes * (ciMinute ?? 0)
  const waiting = waitedHours * (waitingHour ?? 0)
  return { ci, waiting, total: ci + waiting }
}

/** Returns the price divided by the number of pull requests that landed; null if none did. */
export function pricePerLanded(price: Price | null, landed: number): Price | null {
  if (price === null || landed === 0) return null
  const { ci, waiting, total } = price
  return { ci: ci / landed, waiting: waiting / landed, total: total / landed }
}
