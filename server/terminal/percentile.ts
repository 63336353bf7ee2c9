/** Percentiles by nearest rank, as results, histories and the live page tell them: each is one of the values (S-55). */

/** Returns the least of the values that so many of a hundred do not exceed; 0 if there are none. */
export function nearestRank(sorted: ArrayLike<number>, percent: number): number {
  return sorted[Math.max(1, Math.ceil((percent * sorted.length) / 100)) - 1] ?? 0
}

/** The same of values in any order. */
export function percentile(values: readonly number[], percent: number): number {
  return nearestRank(Float64Array.from(values).sort(), percent)
}
