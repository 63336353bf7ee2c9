/**
 * The lower bound on the average number of test runs that any strategy needs to find which of n pull
 * requests break, if each breaks independently with probability p. It is n * H2(p), because each run
 * gives one bit.
 */
export function runsLowerBound(n: number, breaking: number): number {
  if (breaking === 0 || breaking === n) return 0
  const p = breaking / n
  const bits = -p * Math.log2(p) - (1 - p) * Math.log2(1 - p)
  return Math.round(n * bits * 1e6) / 1e6
}
