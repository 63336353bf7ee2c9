/** Several measurements of one thing: the middle one, and how far they lie apart. */

export type Spread = {
  readonly median: number
  readonly low: number
  readonly high: number
  readonly samples: number
}

/** Throws when there is nothing to summarise. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b)
  const [low] = sorted
  const high = sorted.at(-1)
  if (low === undefined || high === undefined) throw new Error('nothing was measured')
  return { median: medianOf(sorted), low, high, samples: sorted.length }
}

/**
 * The ratio of two things that were measured in turns: round by round, so that whatever slows the
 * machine down for a while slows both of them and falls out.
 */
export function ratioOf(over: readonly number[], under: readonly number[]): Spread {
  if (over.length !== under.length) throw new Error('a ratio wants both sides of every round')
  return spreadOf(over.map((value, round) => value / (under[round] ?? NaN)))
}

function medianOf(sorted: readonly number[]): number {
  const upper = Math.floor(sorted.length / 2)
  const lower = Math.ceil(sorted.length / 2) - 1
  return ((sorted[lower] ?? NaN) + (sorted[upper] ?? NaN)) / 2
}
