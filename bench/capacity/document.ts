/** The result document of a capacity run. Fixed seeds and a fixed budget give the same bytes. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { centreOf, endsOf, intervalOf, meanOf } from '../../sim/statistics/interval.ts'
import type { Interval } from '../../sim/statistics/interval.ts'
import { type Effect, ratioOf, cellText, fewestPairs, figure } from '../statistics/effects.ts'
import { assumptionsOf, importWords } from '../tune/assumptions.ts'
import type { ModelChange } from '../tune/model-change.ts'
import type { Budget } from '../tune/runner.ts'
import { count, several } from '../../server/terminal/text.ts'
import type { Look } from '../../server/terminal/output.ts'
import { type TableSection, textSection } from '../../sim/html/table-section.ts'
import { isWholeStep } from './capacity-worker.ts'
import type { Binding, CapacityAnswer, LoadPoint } from './capacity-worker.ts'
import { perHourOf } from './load.ts'

export type Candidate = {
  readonly name: string
  /** True for what needs no change of CI, suite or tests. */
  readonly isSetting: boolean
  readonly scenario: Scenario
  readonly changes: readonly ModelChange[]
}

export const todayName = "today's setting"

export type CapacityRequest = {
  readonly scenario: Scenario
  /** The part of the history on which the advice is only tried; null if none is kept apart. */
  readonly unseen: Scenario | null
  readonly seeds: readonly number[]
  readonly budget: Budget
  readonly limitMinutes: number
  /** The names of the settings to measure; all without it. */
  readonly only?: readonly string[]
}

export type Measured = {
  readonly request: CapacityRequest
  readonly candidates: readonly Candidate[]
  /** The answers of each seed, in the order of the candidates. */
  readonly rounds: readonly (readonly CapacityAnswer[])[]
  readonly isInterrupted: boolean
  /** The names of those that an interrupt or the budget left out of the first round. */
  readonly unmeasured: readonly string[]
}

// The result as data.

type CurvePoint = {
  readonly load: number
  readonly seeds: number
  readonly p95: number | null
  readonly ciMinutes: number | null
  readonly price: number | null
}

export type CapacityRow = {
  readonly name: string
  readonly isSetting: boolean
  /** In multiples of today's pull requests; null if it does not keep up at any load that was tried. */
  readonly headroom: Interval | null
  /** How many seeds kept up at every load that was tried: then the headroom is at least this. */
  readonly openEnds: number
  /** In how many seeds the budget ended the search early. */
  readonly cutOff: number
  /** The ratio to today's headroom on the same seeds. */
  readonly againstToday: Effect | null
  /** How often the number waiting grew first, and how often only the limit was passed. */
  readonly endedBy: { readonly trend: number; readonly limit: number }
  /** What binds, and in how many seeds; the most frequent first. */
  readonly binds: readonly { readonly what: Binding; readonly seeds: number }[]
  /** The price at the load at which all are compared; null without one, or if it does not get so far. */
  readonly price: number | null
  /** Means over seeds, at the loads that every seed simulated. */
  readonly curve: readonly CurvePoint[]
}

export type CapacityDocument = {
  readonly scenario: string
  readonly seeds: number
  readonly isInterrupted: boolean
  readonly unmeasured: readonly string[]
  readonly budget: string
  readonly limitMinutes: number
  readonly perHour: number
  readonly hasPrices: boolean
  /** The load at which prices are compared. */
  readonly pricedAt: number
  readonly rows: readonly CapacityRow[]
  /** The advised setting and today's on what an import keeps apart; null if that was not tried. */
  readonly unseen: { readonly pullRequests: number; readonly rows: readonly CapacityRow[] } | null
  readonly assumptions: readonly string[]
}

export function documentOf(measured: Measured): CapacityDocument {
  const { request, candidates, rounds, isInterrupted, unmeasured } = measured
  const { scenario, budget, limitMinutes } = request
  const today = rounds.map((round) => round[0])
  const isKept = ({ load, points }: Shared): boolean =>
    points.every(({ keepsUp }) => keepsUp) && isWholeStep(load)
  const pricedAt = sharedLoads(today.flatMap((each) => each ?? [])).findLast(isKept)?.load ?? 1
  const rows = candidates.map(({ name, isSetting }, index): CapacityRow => {
    const own = rounds.flatMap((round) => round[index] ?? [])
    const curve = curveOf(own)
    return {
      name,
      isSetting,
      curve,
      ...headroomOf(own),
      cutOff: own.filter(({ isCutOff }) => isCutOff).length,
      againstToday:
        index === 0
          ? null
          : ratioOf(
              own.map(middleOf),
              today.map((each) => (each && !isOpen(each) ? middleOf(each) : null)),
            ),
      endedBy: {
        trend: own.filter(({ endedBy }) => endedBy === 'trend').length,
        limit: own.filter(({ endedBy }) => endedBy === 'limit').length,
      },
      binds: bindsOf(own),
      price: curve.find(({ load }) => load === pricedAt)?.price ?? null,
    }
  })
  const hasPrices = scenario.prices !== undefined
  return {
    scenario: scenario.name,
    seeds: rounds.length,
    isInterrupted,
    unmeasured,
    budget: budget.text,
    limitMinutes,
    perHour: perHourOf(scenario),
    hasPrices,
    pricedAt,
    rows: hasPrices ? byPrice(rows) : byHeadroom(rows),
    unseen: null,
    assumptions: [...assumptionsOf(scenario, false), ...importWords(scenario, request.unseen)],
  }
}

/** Between the highest load at which it keeps up and the lowest at which it does not. */
const middleOf = ({ low, high }: CapacityAnswer): number | null =>
  low === null ? null : Math.sqrt(low * (high ?? low))

/** It would keep up with more, but nobody knows with how much. */
const isOpen = ({ high, isCutOff }: CapacityAnswer): boolean => high === null && isCutOff

/**
 * The interval reaches from that of the loads at which the queue keeps up to that of the loads at which it
 * does not, so it is never narrower than the step of the search. A seed that keeps up at none counts as from 0 on.
 */
function headroomOf(
  answers: readonly CapacityAnswer[],
): Pick<CapacityRow, 'headroom' | 'openEnds'> {
  const openEnds = answers.filter(({ high }) => high === null).length
  if (answers.every(({ low }) => low === null)) return { headroom: null, openEnds }
  const lows = intervalOf(answers.map(({ low }) => low ?? 0))
  const highs = intervalOf(answers.map(({ low, high }) => high ?? low ?? 0))
  const [mean, seeds] = [meanOf(answers.map((each) => middleOf(each) ?? 0)), answers.length]
  const [{ low }, { high }] = [endsOf(lows), endsOf(highs)]
  const isSeen = lows.kind === 'seen' || highs.kind === 'seen'
  const headroom: Interval = isSeen
    ? { kind: 'seen', mean, least: low, most: high, seeds }
    : { kind: 'interval', mean, low, high, seeds }
  return { headroom, openEnds }
}

function bindsOf(answers: readonly CapacityAnswer[]): CapacityRow['binds'] {
  const counts = new Map<Binding, number>()
  for (const { binding } of answers)
    if (binding) counts.set(binding, (counts.get(binding) ?? 0) + 1)
  return [...counts].map(([what, seeds]) => ({ what, seeds })).toSorted((a, b) => b.seeds - a.seeds)
}

type Shared = { readonly load: number; readonly points: readonly LoadPoint[] }

/** The loads that every seed simulated, with the point of each seed. */
function sharedLoads(answers: readonly CapacityAnswer[]): Shared[] {
  const [first] = answers
  return (first?.points ?? []).flatMap(({ load }) => {
    const points = answers.flatMap((each) => each.points.find((point) => point.load === load) ?? [])
    return points.length < answers.length ? [] : [{ load, points }]
  })
}

function curveOf(answers: readonly CapacityAnswer[]): CurvePoint[] {
  return sharedLoads(answers).map(({ load, points }) => {
    const mean = (name: 'p95' | 'ciMinutes' | 'price'): number | null => {
      const values = points.flatMap((point) => point[name] ?? [])
      return values.length < points.length ? null : meanOf(values)
    }
    return {
      load,
      seeds: points.length,
      p95: mean('p95'),
      ciMinutes: mean('ciMinutes'),
      price: mean('price'),
    }
  })
}

const meanHeadroom = ({ headroom }: Pick<CapacityRow, 'headroom'>): number =>
  headroom ? centreOf(headroom) : 0

const byHeadroom = (rows: readonly CapacityRow[]): CapacityRow[] =>
  rows.toSorted((a, b) => meanHeadroom(b) - meanHeadroom(a))

const byPrice = (rows: readonly CapacityRow[]): CapacityRow[] =>
  byHeadroom(rows).toSorted((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity))

// The answer in sentences, and as text for a terminal.

type Headroom = Pick<CapacityRow, 'headroom' | 'openEnds' | 'curve'>

/** Also of one seed it is known between which loads it ends. */
function rangeText(headroom: Interval): string {
  const [low, high] = [figure(endsOf(headroom).low), figure(endsOf(headroom).high)]
  return headroom.seeds > 1 || low === high ? cellText(headroom) : `${low} to ${high}`
}

/** How many times today's pull requests, with its interval; of what keeps up everywhere there is none. */
function headroomText(row: Headroom): string {
  const { headroom, openEnds, curve } = row
  if (!headroom) return curve[0] ? `below ${figure(curve[0].load)}` : 'not known'
  if (openEnds === headroom.seeds) return `at least ${figure(meanHeadroom(row))}`
  return `${openEnds > 0 ? 'at least ' : ''}${rangeText(headroom)}`
}

/** The same after "it is". */
export const isText = (row: Headroom): string =>
  `${row.headroom && row.openEnds === 0 ? 'at ' : ''}${headroomText(row)}`

function bindsText({ binds, cutOff }: CapacityRow, seeds: number): string {
  const [first] = binds
  if (!first) return cutOff > 0 ? 'not known' : 'nothing up to the highest load'
  return first.seeds === seeds ? first.what : `${first.what} (${first.seeds} of ${seeds})`
}

/** The same as a clause, with the verb that fits what binds. */
export function bindsClause({ binds }: Pick<CapacityRow, 'binds'>, seeds: number): string {
  const [first] = binds
  if (!first) return 'nothing binds up to the highest load'
  const share = first.seeds === seeds ? '' : ` (${first.seeds} of ${seeds} seeds)`
  return `${clauses[first.what]}${share}`
}

const clauses: Readonly<Record<Binding, string>> = {
  slots: 'slots bind',
  'the serial line': 'the serial line binds',
  flakes: 'flakes bind',
  clashes: 'clashes bind',
  breaks: 'breaks bind',
  'the length of a run': 'the length of a run binds',
  'several at once': 'several things bind at once',
}

/** Today's setting may keep up at no load at all; then there is no ratio to it. */
const isMore = ({ againstToday, headroom }: CapacityRow, today: CapacityRow | undefined): boolean =>
  againstToday
    ? againstToday.measure === 'ratio' && endsOf(againstToday.size).low > 1
    : today?.headroom === null && today.cutOff === 0 && headroom !== null

/** The setting, or what can be bought, that surely keeps up with more than today's, and with most. */
export function bestOf({ rows }: CapacityDocument, isSetting: boolean): CapacityRow | undefined {
  const today = rows.find(({ name }) => name === todayName)
  return byHeadroom(rows).find((row) => row.isSetting === isSetting && isMore(row, today))
}

function unseenWords({ unseen }: CapacityDocument): string[] {
  const advised = unseen?.rows.find(({ name }) => name !== todayName)
  const today = unseen?.rows.find(({ name }) => name === todayName)
  if (!unseen || !advised || !today) return []
  const helps = isMore(advised, today)
    ? `the setting "${advised.name}" would have helped`
    : `the setting "${advised.name}" would not surely have helped`
  const against = today.openEnds > 0 ? '' : `, ${againstText(advised, today)}`
  return [
    `On the ${several(unseen.pullRequests, 'pull request')} that were kept apart ${helps}: ${headroomText(advised)} instead of ${headroomText(today)}${against}.`,
  ]
}

function budgetWords({ rows, budget }: CapacityDocument): string[] {
  const names = rows.flatMap(({ name, cutOff }) => (cutOff > 0 ? [name] : []))
  if (names.length === 0) return []
  const where = names.length === rows.length ? 'every setting' : names.join(', ')
  return [
    `The budget of ${budget} ended the search early for ${where}: the intervals are wide, or what binds is not known.`,
  ]
}

function endWords({ endedBy, curve }: CapacityRow, limitMinutes: number): string {
  if (endedBy.limit <= endedBy.trend) return 'more wait every day'
  return curve.some(({ p95 }) => p95 !== null)
    ? `p95 to land is above ${count(limitMinutes)} minutes`
    : 'nothing lands'
}

/** Every seed may agree, and still be too few. */
function fewWords(
  { unseen }: CapacityDocument,
  advised: readonly (CapacityRow | undefined)[],
): string[] {
  const isFew = [...advised, ...(unseen?.rows ?? [])].some(
    (row) => row?.againstToday?.size.kind === 'seen',
  )
  if (!isFew) return []
  return [
    `Fewer than ${fewestPairs} seeds are too few to be sure of a difference: a larger --budget measures more.`,
  ]
}

function todayWords(document: CapacityDocument, today: CapacityRow): string {
  const { perHour, seeds, limitMinutes, budget } = document
  const { headroom, openEnds, curve } = today
  const end = `${endWords(today, limitMinutes)}. What binds is ${bindsText(today, seeds)}.`
  if (openEnds === seeds && headroom)
    return `You keep up at ${figure(meanHeadroom(today))} times today's pull requests, the most that was tried.`
  if (headroom)
    return `At ${rangeText(headroom)} times today's pull requests${openEnds > 0 ? ' or more' : ''}, ${figure(perHour * meanHeadroom(today))} an hour, you no longer keep up: ${end}`
  return curve[0]
    ? `You do not keep up even at ${figure(curve[0].load)} times today's pull requests, the least that was tried: ${end}`
    : `Whether you keep up is not known: the budget of ${budget} ended the simulation of today's pull requests early.`
}

/** Returns the answer: today's setting first, then the best setting, then what is worth buying. */
export function answerOf(document: CapacityDocument): string[] {
  const { rows, seeds, unmeasured, budget, isInterrupted } = document
  const today = rows.find(({ name }) => name === todayName)
  if (!today) return []
  const early = budgetWords(document)
  const [setting, bought] = [bestOf(document, true), bestOf(document, false)]
  const more = (row: CapacityRow): string =>
    row.binds.length === 0 && row.cutOff > 0
      ? isText(row)
      : `${isText(row)}; after that, ${bindsClause(row, seeds)}`
  const limit = isInterrupted ? 'before the interrupt' : `with a budget of ${budget}`
  const unless = (sentence: string): string[] =>
    unmeasured.length + early.length === 0 ? [sentence] : []
  return [
    todayWords(document, today),
    ...(setting
      ? [`With the setting "${setting.name}" it is ${more(setting)}.`]
      : unless('No other setting surely keeps up with more.')),
    ...(bought
      ? [`With ${bought.name} and today's setting it is ${more(bought)}.`]
      : unless('Nothing that was tried to buy surely helps.')),
    ...(unmeasured.length === 0 ? [] : [`Not measured ${limit}: ${unmeasured.join(', ')}.`]),
    ...early,
    ...unseenWords(document),
    ...fewWords(document, [setting, bought]),
  ]
}

export function capacityText(document: CapacityDocument, look: Look): string {
  return `${document.scenario}: ${answerOf(document).join('\n')}\n\n${textSection(settingsSection(document), look)}`
}

export function settingsSection(document: CapacityDocument): TableSection {
  const { rows, seeds, hasPrices, pricedAt, limitMinutes, budget, isInterrupted } = document
  const today = rows.find(({ name }) => name === todayName)
  const kept = isInterrupted ? 'Interrupted; what is known is from' : 'From'
  return {
    id: 'settings',
    title: 'What each setting can take',
    about: `${kept} ${several(seeds, 'seed')}, budget ${budget}. A queue keeps up if it is left with at most one of a hundred pull requests that come, and the p95 of the time to land is at most ${count(limitMinutes)} minutes. What ends it: in so many seeds more wait every day (trend), or only the p95 is above that (limit).`,
    table: {
      head: [
        ...['setting', "times today's pull requests", "against today's setting", 'what ends it'],
        ...['what binds first', ...(hasPrices ? [`price at ${figure(pricedAt)} times`] : [])],
      ],
      rows: rows.map((row) => [
        ...[row.name, headroomText(row), againstText(row, today)],
        ...[`${row.endedBy.trend} trend, ${row.endedBy.limit} limit`, bindsText(row, seeds)],
        ...(hasPrices ? [row.price === null ? '-' : figure(row.price)] : []),
      ]),
    },
  }
}

/** Where one of the two keeps up at every load that was tried, only one end of the ratio is known, or none. */
export function againstText(
  { againstToday, openEnds }: Pick<CapacityRow, 'againstToday' | 'openEnds'>,
  today: Pick<CapacityRow, 'openEnds'> | undefined,
): string {
  if (!againstToday) return ''
  const isTodayOpen = today !== undefined && today.openEnds > 0
  if (isTodayOpen && openEnds > 0) return 'not known'
  const limit = `${openEnds > 0 ? 'at least ' : ''}${isTodayOpen ? 'at most ' : ''}`
  const { measure, size } = againstToday
  if (measure !== 'ratio') return cellText(size)
  if (limit === '') return `x ${cellText(size)}`
  return `${limit}x ${figure(openEnds > 0 ? endsOf(size).low : endsOf(size).high)}`
}
