/** How pull requests left the queue over time: merged, failed by reason, cancelled. */

import type { PullRequestResult } from './result-document.ts'

type Conclusion = {
  /** `merged`, `cancelled`, or the reason of a failure. */
  readonly how: string
  readonly numbers: readonly number[]
}

/** The conclusions from one instant to another, in minutes; the end is excluded. */
export type ConclusionBucket = {
  readonly from: number
  readonly to: number
  /** In the order in which they are stacked; without those that do not occur in this bucket. */
  readonly conclusions: readonly Conclusion[]
}

/** The lengths of a bucket, in minutes: 15 minutes, hours, days, weeks. */
const lengths = [15, 30, 60, 120, 180, 360, 720, ...[1, 2, 7, 14, 28, 91, 364].map((d) => d * 1440)]
const mostBuckets = 48

/** Returns the shortest round length with which the run has at most 48 buckets. */
function bucketLength(untilMinutes: number): number {
  const wanted = untilMinutes / mostBuckets
  return lengths.find((length) => length >= wanted) ?? wanted
}

/**
 * Returns the buckets from the start of the run to its end, also empty ones. Each pull request counts
 * once, with its last conclusion, like in the totals; one that is still open does not count.
 */
export function conclusionsOverTime(
  pullRequests: Iterable<PullRequestResult>,
  untilMinutes: number,
): ConclusionBucket[] {
  const length = bucketLength(untilMinutes)
  const size = Math.floor(untilMinutes / length) + 1
  const found = Array.from({ length: size }, () => new Map<string, number[]>())
  for (const result of pullRequests) {
    const how = conclusionOf(result)
    if (how === null || result.concludedAt === null) continue
    const bucket = found[Math.floor(result.concludedAt / length)]
    bucket?.set(how, [...(bucket.get(how) ?? []), result.number])
  }
  return found.map((bucket, index) => ({
    from: index * length,
    to: (index + 1) * length,
    conclusions: [...bucket]
      .map(([how, numbers]) => ({ how, numbers }))
      .sort((a, b) => byRank(a.how, b.how)),
  }))
}

/** Returns every conclusion that occurs: `merged` first, then reasons of failures, then `cancelled`. */
export function conclusionsIn(buckets: readonly ConclusionBucket[]): string[] {
  const all = buckets.flatMap(({ conclusions }) => conclusions.map(({ how }) => how))
  return [...new Set(all)].sort(byRank)
}

function conclusionOf({ state, reason }: PullRequestResult): string | null {
  if (state === 'MERGED') return 'merged'
  if (state === 'CANCELLED') return 'cancelled'
  return state === 'FAILED' ? (reason ?? 'failed') : null
}

const rank = (how: string): number => (how === 'merged' ? 0 : how === 'cancelled' ? 2 : 1)

const byRank = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1)
