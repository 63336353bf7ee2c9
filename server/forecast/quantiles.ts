/** Quantiles of a list, between neighbours in proportion. */

/** Returns the value below which this share of the sorted values lies. Throws if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  const last = sorted.length - 1
  const place = share * last
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new Error('a quantile of nothing')
  // Infinity minus infinity is no number.
  return low === high ? low : low + (high - low) * (place - Math.floor(place))
}

export const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)
