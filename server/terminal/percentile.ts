/** Percentiles by nearest rank, as results, histories and the live page tell them: each is one of the values (S-55). */

/** Returns the least of the values that so many of a hundred do not exceed; 0 if there are none. */
export function nearestRank(sorted: ArrayLike<number>, percent: number): number {
  return sorted[Math.max(1, Math.ceil((percent * sorted.length) / 100)) - 1] ?? 0
}

/** The same of values in any order. Those that were cut short would have become at least as great. */
export function percentile(
  values: readonly number[],
  percent: number,
  cut: readonly number[] = [],
): number {
  if (cut.length === 0) return nearestRank(Float64Array.from(values).sort(), percent)
  const all = standingFor(values, cut)
  let left = (percent * (values.length + cut.length)) / 100
  // Sums of fractions are not exact.
  const reached = all.find(({ count }) => (left -= count) < 1e-6)
  return (reached ?? all.at(-1))?.value ?? 0
}

type Standing = {
  readonly value: number
  /** How many it stands for: itself, and its part of those that were cut short before they could reach it. */
  readonly count: number
}

/** Returns the values, ascending. One that was cut short counts in equal parts for all that became greater (Kaplan and Meier). */
export function standingFor(values: readonly number[], cut: readonly number[]): Standing[] {
  const shorter = Float64Array.from(cut).sort()
  let [count, past] = [1, 0]
  return Array.from(Float64Array.from(values).sort(), (value, index) => {
    for (; (shorter[past] ?? Infinity) < value; past++) {
      const left = values.length - index + shorter.length - past
      count *= left / (left - 1)
    }
    return { value, count }
  })
}
