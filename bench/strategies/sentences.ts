/** The comparison of Mergeyard with the others in sentences, for the terminal and the page. */

import { readingOf, type Comparison as Reading } from '../statistics/difference.ts'
import { centreOf, endsOf, type Interval } from '../../sim/statistics/interval.ts'
import { figure } from '../statistics/text.ts'
import {
  measuresOf,
  measures,
  type Compared,
  type Measure,
  type MeasureStanding,
} from './comparison.ts'

/** Returns the verdict in one sentence. */
export function headline(found: readonly MeasureStanding[]): string {
  const lost = found.filter(({ better }) => better.length > 0).length
  return lost === 0
    ? 'No strategy is significantly better than Mergeyard in any figure.'
    : `Mergeyard is NOT the best in ${lost} of ${found.length} figures.`
}

/** Returns one sentence for each strategy that is better in a figure, with its price in others. */
export function trades(all: readonly Compared[], found: readonly MeasureStanding[]): string[] {
  return all
    .filter((each) => found.some(({ better }) => better.includes(each)))
    .map(({ strategy, againstMergeyard }) => {
      const withReading = (reading: Reading): Measure[] =>
        measuresOf(all).filter((name) => againstMergeyard[name]?.reading === reading)
      const worse = withReading('more')
      const price =
        worse.length === 0 ? 'significantly worse in no figure' : `worse in ${figuresIn(worse)}`
      return `${strategy} is better in ${figuresIn(withReading('less'))}, and ${price}.`
    })
}

const times = 'time to land '

/** Lists measures as `time to land p50 and p95`: a common prefix is written once. */
function figuresIn(names: readonly Measure[]): string {
  const shortened = names.map((name, index) =>
    names.slice(0, index).some((before) => before.startsWith(times))
      ? name.replace(times, '')
      : name,
  )
  return listed(shortened)
}

/** Returns how Mergeyard compares in one measure. */
export function standingWords({ measure, better, undecided }: MeasureStanding): string {
  const [best] = better
  if (best) {
    const difference = best.againstMergeyard[measure]
    const by = difference ? ` (${differenceWords(measure, difference)})` : ''
    const others = better.slice(1).map(({ strategy }) => strategy)
    const also = others.length === 0 ? '' : `; also better: ${listed(others)}`
    return `Mergeyard is NOT the best. ${best.strategy} is better${by}${also}.`
  }
  if (undecided.length === 0) return 'no strategy is better.'
  const names = undecided.map(({ strategy }) => strategy)
  return `no strategy is significantly better; undecided: ${listed(names)}.`
}

/** Formats the difference from Mergeyard with its interval: `66 min less, 26.2 to 106`. */
export function differenceWords(measure: Measure, difference: Interval): string {
  const [mean, { low, high }] = [centreOf(difference), endsOf(difference)]
  const reading = readingOf(difference)
  if (reading === 'the same') return 'the same'
  const { unit } = measures[measure]
  const units = unit === '' ? '' : ` ${unit}`
  if (reading === 'cannot tell') {
    const seen = difference.kind === 'seen' ? 'seen ' : ''
    return `undecided: ${seen}${figure(low)} to ${figure(high)}${units}`
  }
  const [from, to] = mean < 0 ? [-high, -low] : [low, high]
  const range = difference.kind === 'always' ? 'always' : `${figure(from)} to ${figure(to)}`
  return `${figure(Math.abs(mean))}${units} ${reading}, ${range}`
}

/** Lists names as `a, b and c`. Names that contain a comma are separated by semicolons. */
function listed(names: readonly string[]): string {
  const between = names.some((name) => name.includes(',')) ? '; ' : ', '
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(between)} and ${last}`
}

/** Returns what the times count, in sentences. */
export function timesWords(resubmitAfterMinutes: number | null): string {
  const again =
    resubmitAfterMinutes === null
      ? 'Nobody submits an evicted pull request again, so a strategy that evicts healthy ones looks faster than it is.'
      : `A healthy pull request that was evicted is submitted again after ${figure(resubmitAfterMinutes)} min, until it lands.`
  return `Time to land is from the first submission to the merge, of merged pull requests; time in queue is that of the last submission. ${again}`
}
