/** The charts of how pull requests and batches ended: by reason over time, and by size. */

import { count, duration, share } from '../../../server/terminal/text.ts'
import type { PullRequestResult } from '../../result/result-document.ts'
import type { RunResult } from '../../result/write-result.ts'
import { stackedBars } from '../../html/bar-charts.ts'
import { type Bar, type IsShown, card, key, right } from '../../html/components.ts'
import type { Html } from '../../html/html.ts'
import type { FirstTries } from '../recording/minutes.ts'
import type { RunRecording } from '../recording/recording.ts'

/** The reasons of failures have the colours of a series, in the order in which they are stacked. */
const failureColors = ['failed', 'held', 'series-4', 'series-6', 'series-7', 'series-1', 'series-2']

/** What the reasons of the engine mean, in a few words. */
const meanings: Readonly<Record<string, string>> = {
  TEST_RUN_REQUIRED_STATUS_FAILED: 'failed: tests',
  TEST_RUN_TIMEOUT: 'failed: timeout',
  START_TEST_RUN_MERGE_CONFLICT: 'failed: text conflict',
  START_TEST_RUN_RETRY_EXHAUSTED: 'failed: run lost',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'failed: by elimination',
  PR_UPDATED_AT_MERGE_TIME: 'failed: changed while it merged',
  GITHUB_API_MERGE_PR_FAILED: 'failed: merge refused',
}

const meaningOf = (how: string): string => meanings[how] ?? how

export async function conclusionsCard(
  { figures, lists }: RunResult,
  isShown: IsShown,
): Promise<Html> {
  const title = 'Conclusions over time'
  const all = conclusionsOverTime(lists.pullRequests, figures.endedAtMinutes)
  const hows = conclusionsIn(all)
  const [first] = all
  if (hows.length === 0 || !first) return card({ title, about: 'No pull request left the queue.' })
  const styles = hows.map((how) => ({ color: colorOf(how, hows), means: meaningOf(how) }))
  const bars = all.map((bucket) => ({
    label: startOf(bucket),
    amounts: hows.map((how) => bucket.numbersBy.get(how)?.length ?? 0),
    bar: barOf(bucket),
  }))
  return card({
    title,
    about: `Each bar is ${duration(first.to)}. A pull request counts once, with its last conclusion.`,
    body: [
      key(styles),
      await stackedBars({ name: 'Pull requests that left the queue, over time', styles, bars }),
    ],
    list: { bars: bars.map(({ bar }) => bar), isShown },
    numbers: {
      head: ['from', ...styles.map(({ means }) => right(means))],
      rows: bars
        .filter(({ bar }) => bar !== null)
        .map(({ label, amounts }) => [label, ...amounts.map(count)]),
    },
  })
}

const startOf = ({ from }: ConclusionBucket): string => (from === 0 ? '0' : duration(from))

function barOf(bucket: ConclusionBucket): Bar | null {
  const { to, numbersBy } = bucket
  if (numbersBy.size === 0) return null
  const members = [...numbersBy.keys()].sort(byRank).map((how) => {
    return { what: meaningOf(how), numbers: numbersBy.get(how) ?? [] }
  })
  const amounts = members.map(({ what, numbers }) => `${count(numbers.length)} ${what}`)
  const about = `${startOf(bucket)} to ${duration(to)}: ${amounts.join(', ')}`
  return { about, members }
}

function colorOf(how: string, hows: readonly string[]): string {
  if (how === 'merged' || how === 'cancelled') return how
  const reasons = hows.filter((each) => each !== 'merged' && each !== 'cancelled')
  return failureColors[reasons.indexOf(how)] ?? 'soft'
}

const tryStyles = [
  { part: 'passed', color: 'merged', means: 'passed' },
  { part: 'failed', color: 'failed', means: 'failed' },
  { part: 'noVerdict', color: 'cancelled', means: 'cancelled, lost or timed out' },
] as const

/** Returns nothing for a queue that never tested several pull requests together. */
export async function batchesCard(
  { batches }: RunRecording,
  isShown: IsShown,
): Promise<Html | null> {
  const { tries } = batches
  const larger = tries.filter(({ size }) => size > 1)
  if (larger.length === 0) return null
  const title = 'Batches that pass, by size'
  const sum = (part: 'passed' | 'failed' | 'noVerdict'): number =>
    larger.reduce((total, each) => total + each[part], 0)
  const all = sum('passed') + sum('failed') + sum('noVerdict')
  const bars = tries.map((each) => ({
    label: String(each.size),
    amounts: tryStyles.map(({ part }) => each[part]),
    bar: triesBar(each),
  }))
  return card({
    title,
    about: `First main runs by the number of pull requests in them: ${count(sum('passed'))} of ${count(all)} of two or more passed on the first try.`,
    body: [
      key(tryStyles),
      await stackedBars({
        name: 'First main runs of batches, by size',
        styles: tryStyles,
        bars,
        below: 'pull requests in the batch',
      }),
    ],
    list: { bars: bars.map(({ bar }) => bar), isShown },
    numbers: {
      head: [
        'size',
        ...tryStyles.map(({ means }) => right(means)),
        right('passed, of those with a verdict'),
      ],
      rows: tries.map(({ size, passed, failed, noVerdict }) => [
        String(size),
        count(passed),
        count(failed),
        count(noVerdict),
        share(passed, passed + failed),
      ]),
    },
  })
}

function triesBar(tries: FirstTries): Bar {
  const used = tryStyles.filter(({ part }) => tries[part] > 0)
  const amounts = used.map(({ part, means }) => `${count(tries[part])} ${means}`)
  return {
    about: `batches of ${count(tries.size)}: ${amounts.join(', ')}`,
    members: used.map(({ part, means }) => ({ what: means, numbers: tries.members[part].numbers })),
    hasMore: used.some(({ part }) => tries.members[part].hasMore),
  }
}

// How pull requests left the queue over time: merged, failed by reason, cancelled.

/** The conclusions from one instant to another, in minutes; the end is excluded. */
type ConclusionBucket = {
  readonly from: number
  readonly to: number
  /** By how it ended: `merged`, `cancelled`, or the reason of a failure. */
  readonly numbersBy: ReadonlyMap<string, readonly number[]>
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
function conclusionsOverTime(
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
  return found.map((numbersBy, index) => {
    return { from: index * length, to: (index + 1) * length, numbersBy }
  })
}

/** Returns every conclusion that occurs: `merged` first, then reasons of failures, then `cancelled`. */
function conclusionsIn(buckets: readonly ConclusionBucket[]): string[] {
  return [...new Set(buckets.flatMap(({ numbersBy }) => [...numbersBy.keys()]))].sort(byRank)
}

function conclusionOf({ state, reason }: PullRequestResult): string | null {
  if (state === 'MERGED') return 'merged'
  if (state === 'CANCELLED') return 'cancelled'
  return state === 'FAILED' ? (reason ?? 'failed') : null
}

const rank = (how: string): number => (how === 'merged' ? 0 : how === 'cancelled' ? 2 : 1)

const byRank = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1)
