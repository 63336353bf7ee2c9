/** How Mergeyard stands, in words, for the terminal and the page alike. */

import { readingOf, type Comparison as Reading, type Difference } from '../statistics/interval.ts'
import { figure } from '../statistics/text.ts'
import { measureNames, measures, type Compared, type Measure, type Standing } from './comparison.ts'

/** The verdict in a sentence. */
export function headline(found: readonly Standing[]): string {
  const lost = found.filter(({ better }) => better.length > 0).length
  return lost === 0
    ? 'Nobody surely does better than Mergeyard in any figure.'
    : `Mergeyard is NOT the best in ${lost} of ${found.length} figures.`
}

/** What those who do better in something pay for it: a sentence each. */
export function trades(all: readonly Compared[], found: readonly Standing[]): string[] {
  return all
    .filter((each) => found.some(({ better }) => better.includes(each)))
    .map(({ strategy, againstMergeyard }) => {
      const read = (reading: Reading): Measure[] =>
        measureNames.filter((name) => againstMergeyard[name]?.reading === reading)
      const worse = read('more')
      const price = worse.length === 0 ? 'surely worse in nothing' : `worse in ${figuresIn(worse)}`
      return `${strategy} does better in ${figuresIn(read('less'))}, and ${price}.`
    })
}

const times = 'time in queue '

/** `time in queue p50 and p95, runs per merge`: what they share is said once. */
function figuresIn(names: readonly Measure[]): string {
  const said = names.map((name, index) =>
    names.slice(0, index).some((before) => before.startsWith(times))
      ? name.replace(times, '')
      : name,
  )
  return listed(said)
}

/** How Mergeyard does in one figure. */
export function standingWords({ measure, better, undecided }: Standing): string {
  const [best] = better
  if (best) {
    const difference = best.againstMergeyard[measure]
    const by = difference ? ` (${differenceWords(measure, difference)})` : ''
    const others = better.slice(1).map(({ strategy }) => strategy)
    const also =
      others.length === 0 ? '' : `; so ${others.length === 1 ? 'does' : 'do'} ${listed(others)}`
    return `Mergeyard is NOT the best. ${best.strategy} does better${by}${also}.`
  }
  if (undecided.length === 0) return 'nobody does better.'
  const names = undecided.map(({ strategy }) => strategy)
  return `nobody surely does better; it cannot be told of ${listed(names)}.`
}

/** What one has more or less than Mergeyard: `66 min less, 26.2 to 106`. */
export function differenceWords(measure: Measure, difference: Difference): string {
  const { mean, low, high } = difference
  const reading = readingOf(difference)
  if (reading === 'the same') return 'the same'
  const { unit } = measures[measure]
  const units = unit === '' ? '' : ` ${unit}`
  if (reading === 'cannot tell') {
    return `cannot be told: ${figure(low)} to ${figure(high)}${units}`
  }
  const [from, to] = mean < 0 ? [-high, -low] : [low, high]
  return `${figure(Math.abs(mean))}${units} ${reading}, ${figure(from)} to ${figure(to)}`
}

/** `a, b and c`; names that hold a comma are kept apart by semicolons. */
function listed(names: readonly string[]): string {
  const between = names.some((name) => name.includes(',')) ? '; ' : ', '
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(between)} and ${last}`
}
