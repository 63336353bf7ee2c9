/** How many times today's pull requests a queue keeps up with: today's setting, others, and what can be bought. */

import type { Writable } from 'node:stream'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { workBar } from '../../sim/cli/progress-bar.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { type Interval, centreOf, endsOf, intervalOf } from '../../sim/statistics/interval.ts'
import { meanOf } from '../../sim/statistics/mean.ts'
import { columns, count, several } from '../../server/terminal/text.ts'
import { cellText, figure } from '../statistics/text.ts'
import { type Effect, ratioOf } from '../statistics/ratio.ts'
import { proposed } from '../compare/judge-place.ts'
import { assumptionsIn, assumptionsOf, importWords } from '../tune/assumptions.ts'
import { configurationOf } from '../tune/axes.ts'
import type { ModelChange } from '../tune/model-change.ts'
import { type Budget, eventsIn } from '../tune/runner.ts'
import type { Binding, CapacityAnswer, CapacityTask } from './capacity-worker.ts'
import { perHourOf } from './load.ts'

// What is compared.

type Candidate = {
  readonly name: string
  /** True for what needs no change of CI, suite or tests. */
  readonly isSetting: boolean
  readonly scenario: Scenario
  readonly changes: readonly ModelChange[]
}

export const todayName = "today's setting"

const moreSlots = 2
const shorter = 2 / 3
const half = 1 / 2

/** Returns today's setting, the others, and what can be bought. What would change nothing is left out. */
export function candidatesOf(scenario: Scenario): Candidate[] {
  const { queue = {} } = scenario
  const { concurrency, bisectionConcurrency, policy } = configurationOf(scenario)
  const setting = (name: string, set: Scenario['queue']): Candidate[] => {
    const changed = { ...scenario, queue: { ...queue, ...set } }
    const isSame =
      JSON.stringify(configurationOf(changed)) === JSON.stringify(configurationOf(scenario))
    return isSame ? [] : [{ name, isSetting: true, scenario: changed, changes: [] }]
  }
  const assumed = assumptionsIn(scenario)
  const less = (name: string, words: readonly string[], by: number): Candidate[] => {
    const changes = assumed.flatMap((each) =>
      words.includes(each.name) && each.today > 0
        ? [{ name: each.name, from: each.today, to: each.today * by }]
        : [],
    )
    return changes.length === 0 ? [] : [{ name, isSetting: false, scenario, changes }]
  }
  const bought = {
    ...queue,
    concurrency: concurrency + moreSlots,
    ...(bisectionConcurrency === null ? {} : { bisectionConcurrency }),
  }
  return [
    { name: todayName, isSetting: true, scenario, changes: [] },
    ...(policy === 'documented' ? [] : setting('documented', { policy: 'documented' })),
    ...setting('adaptive', { policy: 'adaptive' }),
    ...setting('adaptive, as proposed', proposed),
    {
      name: 'two more slots',
      isSetting: false,
      scenario: { ...scenario, queue: bought },
      changes: [],
    },
    ...less('a suite a third shorter', ['run length'], shorter),
    ...less('half the flakes', ['flakes', 'flaky tests', 'flaky pull requests'], half),
    ...less('half the breaks', ['breaks'], half),
  ]
}

// The search: whole rounds, each with one seed for every setting, until the budget is used up.

export type CapacityRequest = {
  readonly scenario: Scenario
  readonly seeds: readonly number[]
  readonly budget: Budget
  readonly limitMinutes: number
}

export type Measured = {
  readonly request: CapacityRequest
  readonly candidates: readonly Candidate[]
  /** The answers of each seed, in the order of the candidates. */
  readonly rounds: readonly (readonly CapacityAnswer[])[]
  readonly isInterrupted: boolean
}

type Bench = Spreading & { readonly stderr: Writable; readonly signal: AbortSignal }

/** Measures until the budget is used up. An interrupt keeps the rounds that are whole. */
export async function measured(request: CapacityRequest, bench: Bench): Promise<Measured> {
  const { scenario, seeds, budget, limitMinutes } = request
  const { spread, note, stderr, signal } = bench
  const candidates = candidatesOf(scenario)
  const answers: CapacityAnswer[] = []
  const rounds: CapacityAnswer[][] = []
  const events = eventsIn(budget)
  let used = 0
  const isEnough = (): boolean => used >= events || answers.some(({ broken }) => broken !== null)
  const tasks = function* (): Generator<CapacityTask, void> {
    for (const seed of seeds) {
      for (const each of candidates) {
        yield { scenario: each.scenario, changes: each.changes, seed, limitMinutes }
      }
    }
  }
  const bar = workBar(stderr, scenario.name, events, 'events')
  try {
    await spread<CapacityTask, CapacityAnswer>({
      worker: { url: new URL('./capacity-worker.js', import.meta.url), name: 'capacityWorker' },
      tasks: tasks(),
      onAnswer: (answer) => {
        // Work that was handed out before the budget was used up does not count, wherever it ran.
        if (isEnough()) return
        answers.push(answer)
        if (answers.length % candidates.length === 0) {
          rounds.push(answers.slice(-candidates.length))
          used = answers.reduce((sum, each) => sum + each.events, 0)
        }
        bar.update(Math.min(events, used), `${several(rounds.length, 'seed')}${note()}`)
      },
      isEnough,
      signal,
    })
  } finally {
    bar.stop()
  }
  const broken = answers.findIndex((each) => each.broken !== null)
  if (broken !== -1) throw faultOf(candidates, answers, broken, seeds)
  return { request, candidates, rounds, isInterrupted: signal.aborted }
}

/** A property that a setting violated at a load. */
export class CapacityFault extends Error {}

function faultOf(
  candidates: readonly Candidate[],
  answers: readonly CapacityAnswer[],
  at: number,
  seeds: readonly number[],
): CapacityFault {
  const { property = '', load = 0 } = answers[at]?.broken ?? {}
  const name = candidates[at % candidates.length]?.name ?? ''
  const seed = seeds[Math.floor(at / candidates.length)] ?? 0
  return new CapacityFault(
    `${property}  with ${name} at ${load} times the pull requests, seed ${seed}`,
  )
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
  readonly budget: string
  readonly limitMinutes: number
  readonly perHour: number
  readonly hasPrices: boolean
  /** The load at which prices are compared. */
  readonly pricedAt: number
  readonly rows: readonly CapacityRow[]
  readonly assumptions: readonly string[]
}

export function documentOf({
  request,
  candidates,
  rounds,
  isInterrupted,
}: Measured): CapacityDocument {
  const { scenario, budget, limitMinutes } = request
  const today = rounds.map((round) => round[0])
  const isKept = ({ keepsUp }: Shared): boolean => keepsUp
  const pricedAt = sharedLoads(today.flatMap((each) => each ?? [])).findLast(isKept)?.load ?? 1
  const rows = candidates.map(({ name, isSetting }, index): CapacityRow => {
    const own = rounds.flatMap((round) => round[index] ?? [])
    const curve = curveOf(own)
    return {
      ...{ name, isSetting, curve },
      ...headroomOf(own),
      againstToday:
        index === 0
          ? null
          : ratioOf(
              own.map(middleOf),
              today.map((each) => (each ? middleOf(each) : null)),
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
    ...{
      scenario: scenario.name,
      seeds: rounds.length,
      isInterrupted,
      budget: budget.text,
      limitMinutes,
    },
    ...{ perHour: perHourOf(scenario), hasPrices, pricedAt },
    rows: hasPrices ? byPrice(rows) : byHeadroom(rows),
    assumptions: [...assumptionsOf(scenario), ...importWords(scenario)],
  }
}

/** Between the highest load at which it keeps up and the lowest at which it does not. */
const middleOf = ({ low, high }: CapacityAnswer): number | null =>
  low === null ? null : Math.sqrt(low * (high ?? low))

/**
 * The interval reaches from that of the loads at which the queue keeps up to that of the loads at which it
 * does not, so it is never narrower than the step of the search.
 */
function headroomOf(
  answers: readonly CapacityAnswer[],
): Pick<CapacityRow, 'headroom' | 'openEnds'> {
  const openEnds = answers.filter(({ high }) => high === null).length
  const some = answers.filter(({ low }) => low !== null)
  if (some.length < answers.length || some.length === 0) return { headroom: null, openEnds }
  const lows = intervalOf(some.map(({ low }) => low ?? 0))
  const highs = intervalOf(some.map(({ low, high }) => high ?? low ?? 0))
  const [mean, seeds] = [meanOf(some.map((each) => middleOf(each) ?? 0)), some.length]
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

type Shared = { readonly load: number; readonly keepsUp: boolean }

/** The loads that every seed simulated; a load counts as kept up with if it is in every seed. */
function sharedLoads(answers: readonly CapacityAnswer[]): Shared[] {
  const [first] = answers
  return (first?.points ?? []).flatMap(({ load }) => {
    const same = answers.flatMap(({ points }) => points.find((each) => each.load === load) ?? [])
    return same.length < answers.length
      ? []
      : [{ load, keepsUp: same.every(({ keepsUp }) => keepsUp) }]
  })
}

function curveOf(answers: readonly CapacityAnswer[]): CurvePoint[] {
  return sharedLoads(answers).map(({ load }) => {
    const same = answers.flatMap(({ points }) => points.filter((each) => each.load === load))
    const mean = (name: 'p95' | 'ciMinutes' | 'price'): number | null => {
      const values = same.flatMap((point) => point[name] ?? [])
      return values.length < same.length ? null : meanOf(values)
    }
    return {
      load,
      seeds: same.length,
      p95: mean('p95'),
      ciMinutes: mean('ciMinutes'),
      price: mean('price'),
    }
  })
}

const meanHeadroom = ({ headroom }: CapacityRow): number => (headroom ? centreOf(headroom) : 0)

const byHeadroom = (rows: readonly CapacityRow[]): CapacityRow[] =>
  rows.toSorted((a, b) => meanHeadroom(b) - meanHeadroom(a))

const byPrice = (rows: readonly CapacityRow[]): CapacityRow[] =>
  byHeadroom(rows).toSorted((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity))

// The result in sentences and as text.

/** How many times today's pull requests, with its interval. */
export function headroomText({ headroom, openEnds }: CapacityRow): string {
  if (!headroom) return 'less than today'
  return `${openEnds > 0 ? 'at least ' : ''}${cellText(headroom)}`
}

export function bindsText({ binds }: CapacityRow, seeds: number): string {
  const [first] = binds
  if (!first) return 'nothing up to the highest load'
  return first.seeds === seeds ? first.what : `${first.what} (${first.seeds} of ${seeds})`
}

/** Returns the answer: today's setting first, then the best setting, then what is worth buying. */
export function answerOf({ rows, perHour, seeds, limitMinutes }: CapacityDocument): string[] {
  const today = rows.find(({ name }) => name === todayName)
  if (!today) return []
  const pace = today.headroom ? `, ${figure(perHour * meanHeadroom(today))} an hour` : ''
  const end =
    today.endedBy.limit > today.endedBy.trend
      ? `p95 to land is above ${count(limitMinutes)} minutes`
      : 'more wait every day'
  const start =
    today.openEnds === seeds
      ? `You keep up at ${figure(meanHeadroom(today))} times today's pull requests, the most that was tried.`
      : today.headroom === null
        ? 'You do not keep up at the least load that was tried.'
        : `At ${headroomText(today)} times today's pull requests${pace}, you no longer keep up: ${end}. What binds is ${bindsText(today, seeds)}.`
  const isMore = ({ againstToday }: CapacityRow): boolean =>
    againstToday?.measure === 'ratio' && endsOf(againstToday.size).low > 1
  const best = (isSetting: boolean): CapacityRow | undefined =>
    byHeadroom(rows).find((row) => row.isSetting === isSetting && row !== today && isMore(row))
  const [setting, bought] = [best(true), best(false)]
  const more = (row: CapacityRow): string =>
    `${headroomText(row)}; then ${bindsText(row, seeds)} binds`
  return [
    start,
    setting
      ? `With the setting "${setting.name}" it is at ${more(setting)}.`
      : 'No other setting surely keeps up with more.',
    bought
      ? `With ${bought.name} and today's setting it is at ${more(bought)}.`
      : 'Nothing that was tried to buy surely helps.',
  ]
}

export function capacityText(document: CapacityDocument): string {
  const { scenario, rows, seeds, hasPrices, pricedAt, limitMinutes, budget, isInterrupted } =
    document
  const head = [
    ...['', "times today's", 'against today', 'what ends it', 'what binds'],
    ...(hasPrices ? [`price at ${figure(pricedAt)}`] : []),
  ]
  const cells = rows.map((row) => [
    row.name,
    headroomText(row),
    againstText(row),
    `${row.endedBy.trend} trend, ${row.endedBy.limit} limit`,
    bindsText(row, seeds),
    ...(hasPrices ? [row.price === null ? '-' : figure(row.price)] : []),
  ])
  const kept = isInterrupted ? 'interrupted; what is known is from ' : ''
  return `${scenario}: ${answerOf(document).join('\n')}

${columns([head, ...cells])}
${kept}${several(seeds, 'seed')}, budget ${budget}. A queue keeps up if it is left with at most one of a hundred pull requests
that come, and the p95 of the time to land is at most ${count(limitMinutes)} minutes.
`
}

export function againstText({ againstToday }: CapacityRow): string {
  if (!againstToday) return ''
  return againstToday.measure === 'ratio'
    ? `x ${cellText(againstToday.size)}`
    : cellText(againstToday.size)
}
