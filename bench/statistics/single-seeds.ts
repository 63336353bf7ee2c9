/** How much single seeds differ: what the interval of a mean does not say. */

import { quantileOf } from '../../sim/statistics/bootstrap-t.ts'
import { fewestForInterval } from '../../sim/statistics/interval.ts'

/**
 * Returns the range in which about 80 % of single seeds fall: from the 10 % to the 90 % quantile at
 * rank p (n + 1), of which a new seed is in between with 80 %. Returns null for fewer than 10 seeds.
 */
export function rangeOfSeeds(
  values: readonly number[],
): { readonly low: number; readonly high: number } | null {
  if (values.length < fewestForInterval) return null
  const sorted = Float64Array.from(values).sort()
  return { low: quantileOf(sorted, 0.1), high: quantileOf(sorted, 0.9) }
}
