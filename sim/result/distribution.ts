/** Mean, percentiles and maximum of durations. */

import type { Millis } from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'

/** All values are minutes; null if there are no durations. */
export type Distribution = {
  readonly mean: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly max: number | null
}

const empty: Distribution = { mean: null, p50: null, p95: null, p99: null, max: null }

/** Percentiles use the nearest rank, so each is one of `times`. The mean is rounded to 1 ms. */
export function distributionOf(times: readonly Millis[]): Distribution {
  if (times.length === 0) return empty
  const sorted = Float64Array.from(times).sort()
  const sum = sorted.reduce((total, time) => total + time, 0)
  const percentile = (percent: number): number => {
    const rank = Math.max(1, Math.ceil((percent * sorted.length) / 100))
    return toMinutes(sorted[rank - 1] ?? 0)
  }
  return {
    mean: toMinutes(Math.round(sum / sorted.length)),
    p50: percentile(50),
    p95: percentile(95),
    p99: percentile(99),
    max: percentile(100),
  }
}
