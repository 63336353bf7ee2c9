/** Several measurements of the same figure: their median and their range. */

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
  return { median: medianOf(sorted), low, high, samples: sorted.length }
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

function medianOf(sorted: readonly number[]): number {
  const upper = Math.floor(sorted.length / 2)
  const lower = Math.ceil(sorted.length / 2) - 1
  return ((sorted[lower] ?? NaN) + (sorted[upper] ?? NaN)) / 2
}
