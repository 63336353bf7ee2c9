/** Quantiles of a list, between neighbours in proportion. */

/** Returns the value below which this share of the sorted values lies. Throws if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return valueAt(sorted, share * (sorted.length - 1))
}

/**
 * Returns the value below which one more draw of the same kind lies in this share of cases. Throws if
 * there are no values. Of few draws it is further out than their quantile: the least and the greatest of
 * 20 leave out a tenth of what follows. Beyond the least and the greatest nothing is known.
 */
export function nextQuantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length + 1) - 1
  return valueAt(sorted, Math.min(sorted.length - 1, Math.max(0, place)))
}

function valueAt(sorted: readonly number[], place: number): number {
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new Error('a quantile of nothing')
  // Infinity minus infinity is no number.
  return low === high ? low : low + (high - low) * (place - Math.floor(place))
}

export const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)
