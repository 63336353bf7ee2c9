/** The comparison in sentences, for the terminal and the page, and as a table for the terminal. */

import { type Interval, centreOf, endsOf } from '../../sim/statistics/interval.ts'
import { several } from '../../server/terminal/text.ts'
import { right } from '../../sim/html/pieces.ts'
import type { Look } from '../../server/terminal/output.ts'
import { type Told, toldText } from '../../sim/html/told.ts'
import { lengthModels } from '../queues/fair-scenario.ts'
import { type Comparison as Reading, readingOf } from '../statistics/difference.ts'
import { cellText, figure, intervalsAbout } from '../statistics/text.ts'
import { toldBounds } from './bounds.ts'
import {
  type Compared,
  type ComparisonDocument,
  type Measure,
  type MeasureStanding,
  measures,
  measuresOf,
  standings,
  tiersOf,
} from './comparison.ts'

export function comparisonText(document: ComparisonDocument, look: Look): string {
  const { scenario, seeds, leftOut, compared, lengths, bounds } = document
  const head = `${scenario}   ${several(seeds, 'seed')}, the same pull requests for every strategy; length of runs: ${lengthModels[lengths]}\n`
  const out =
    leftOut.length === 0
      ? ''
      : `left out, because not every strategy supports it: ${leftOut.join(', ')}\n`
  const { defaults, best } = tiersOf(compared)
  return [
    `${head}${out}`,
    ...[toldStrategies(document), toldBounds(bounds)].map((told) => toldText(told, look)),
    verdictText('At the defaults', defaults) + verdictText('At its best', best),
  ].join('\n')
}

/** The figures of every strategy, and the settings that the searches found. */
export function toldStrategies(document: ComparisonDocument): Told {
  const { compared } = document
  const measured = measuresOf(compared)
  return {
    ...{ id: 'strategies', title: 'Every strategy' },
    about: `${intervalsAbout} Less is better in all figures. ${timesWords(document)} A strategy in brackets is a reference: it knows what breaks, and is no bound.`,
    table: {
      head: ['strategy', ...[...measured.map(titleOf), 'runs at once'].map(right)],
      rows: compared.map((each) => [
        nameOf(each),
        ...measured.map((measure) => cellText(each.figures[measure])),
        String(each.peakRuns),
      ]),
    },
    words: tiersOf(compared).best.map(({ strategy, setting }) => `${strategy}: ${setting ?? ''}`),
  }
}

export function nameOf({ strategy, isReference }: Compared): string {
  return isReference ? `(${strategy})` : strategy
}

/** Returns the name of a measure with its unit. */
export function titleOf(measure: Measure): string {
  const { unit } = measures[measure]
  return unit === '' ? measure : `${measure}, ${unit}`
}

/** How Mergeyard compares with the others, in words; nothing if only defaults are compared. */
function verdictText(title: string, tier: readonly Compared[]): string {
  if (tier.length === 0) return ''
  const found = standings(tier)
  const sentences = found.map((each) => `  ${each.measure}: ${standingWords(each)}\n`).join('')
  return `${title}: ${headline(found)}\n${sentences}`
}

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
function timesWords({ resubmitAfterMinutes, compared }: ComparisonDocument): string {
  const again =
    resubmitAfterMinutes === null
      ? 'Nobody submits an evicted pull request again, so a strategy that evicts healthy ones looks faster than it is.'
      : `A pull request that was evicted although healthy, or that clashed, is submitted again after ${figure(resubmitAfterMinutes)} min, until it lands.`
  const held = measuresOf(compared).includes('held back')
    ? ' One is held back if a queue can take it only later, because of what it depends on: mostly when that has merged. Its time to land counts from when it first came.'
    : ''
  return `Time to land is from the first submission to the merge, of merged pull requests; time in queue is that of the last submission. ${again}${held}`
}
