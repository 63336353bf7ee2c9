/** How times spread out, in minutes. */

import type { Millis } from '../../engine/index.ts'
import { toMinutes } from '../time.ts'

export type Distribution = {
  readonly mean: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly max: number | null
}

const nothing: Distribution = { mean: null, p50: null, p95: null, p99: null, max: null }

/** Percentiles by nearest rank: each is a time that did occur. The mean is rounded to a millisecond. */
export function distributionOf(times: readonly Millis[]): Distribution {
  if (times.length === 0) return nothing
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
