/**
 * The fewest test runs any strategy needs on average, to tell which of n pull requests break when
 * each does with probability p by itself: n * H2(p), because each run answers one bit.
 */
export function runsLowerBound(n: number, breaking: number): number {
  if (breaking === 0 || breaking === n) return 0
  const p = breaking / n
  const bits = -p * Math.log2(p) - (1 - p) * Math.log2(1 - p)
  return Math.round(n * bits * 1e6) / 1e6
}
