/** The correction for several comparisons at once (Holm 1979). */

export type Corrected = {
  readonly isSignificant: boolean
  /**
   * The confidence level of the interval to show: it excludes the null hypothesis if and only if
   * the comparison is significant.
   */
  readonly confidence: number
}

/**
 * Returns for each p-value whether it is significant, so that no conclusion of all is wrong with
 * probability 1 - `alpha`. The least of m p-values is compared with alpha / m, the next with
 * alpha / (m - 1), until one is too large; that one and all that follow are not significant.
 */
export function holm(pValues: readonly number[], alpha = 0.05): Corrected[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
  const stop = order.findIndex(({ p }, rank) => p > alpha / (order.length - rank))
  const significant = stop === -1 ? order.length : stop
  const corrected: Corrected[] = []
  for (const [rank, { index }] of order.entries()) {
    const divisor = order.length - Math.min(rank, significant)
    corrected[index] = { isSignificant: rank < significant, confidence: 1 - alpha / divisor }
  }
  return corrected
}
