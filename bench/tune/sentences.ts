/** The advice in sentences, for the terminal and the page. */

import type { Cell } from '../../sim/html/components.ts'
import { centreOf, endsOf } from '../../sim/statistics/interval.ts'
import { count, several } from '../../server/terminal/text.ts'
import { otherQueue } from '../queues/index.ts'
import { figure } from '../statistics/effects.ts'
import type { SettingResult, TuneDocument } from './document.ts'
import { type FigureName, figureTable } from './figures.ts'
import { type AssumedRange, type SensitivityResult, distanceTo } from './sensitivity.ts'
import { type StretchResult, holdsIn } from './stretches.ts'
import type { EffectResult } from './verdict.ts'

type VerdictWords = {
  /** The advice, in a few words. */
  readonly title: string
  /** How sure it is and why, as sentences. */
  readonly reasons: readonly string[]
}

export function todayIn({ settings }: TuneDocument): SettingResult | undefined {
  return settings.find(({ isToday }) => isToday)
}

export function settingIn({ settings }: TuneDocument, name: string): SettingResult | undefined {
  return settings.find((setting) => setting.name === name)
}

/** Names another product's queue, for a title. */
export function queueWords({ asked }: TuneDocument): string {
  return asked.queue === 'mergeyard' ? '' : `, ${otherQueue(asked.queue).title}`
}

export function verdictWords(document: TuneDocument): VerdictWords {
  const { title, reasons } = decisionWords(document)
  const first = measureFirstWords(document.sensitivity ?? [])
  return { title, reasons: first === null ? reasons : [...reasons, first] }
}

function decisionWords(document: TuneDocument): VerdictWords {
  const { verdict, asked, seeds } = document
  const least = `${figure(asked.leastEffectPercent)} %`
  const basis = `Judged by ${asked.preference.means}, on ${several(seeds, 'seed')} that the search had not seen, with the same pull requests for every setting.`
  const { choice, best, tied } = verdict
  switch (verdict.kind) {
    case 'change':
      return {
        title: `Set ${choice}`,
        reasons: [
          verdict.because === 'better'
            ? `Surely better than today's by more than ${least}. ${basis}`
            : `Today's setting makes unproven merges that are not allowed. ${basis}`,
          ...(tied.length === 0
            ? []
            : [`Less than ${least} apart, with more changes: ${listed(tied)}.`]),
          ...(document.stretches.length === 0
            ? []
            : [`Taken apart, ${stretchWords(document.stretches)}.`]),
          ...unseenWords(document),
        ],
      }
    case 'keep':
      return {
        title: "Keep today's setting: no reason to change",
        reasons: [`No setting is better by ${least} or more. ${basis}`],
      }
    case 'unsure':
      return {
        title: 'Cannot tell whether a change would help',
        reasons: [`${unsureWords(document, verdict.moreSeeds)} ${basis}`],
      }
    case 'idle':
      return {
        title: "Keep today's setting: the queue is idle, so nobody can land sooner",
        reasons: [
          `Nobody waits: p95 in queue is ${figure(verdict.queueP95)} min, that of one run ${figure(verdict.runP95)} min, ${slotsWords(verdict.peakSlots, verdict.concurrency)}.`,
        ],
      }
    case 'empty':
      return { title: 'No advice: nothing lands', reasons: ['No pull request merged in any seed.'] }
    case 'always':
      return {
        title: 'No advice for other days: nothing is drawn',
        reasons: [
          `All ${seeds} seeds give the same figures, so they say nothing about other days. On this one, the best is ${best}.`,
        ],
      }
  }
}

function slotsWords(peak: number, all: number): string {
  return all === 1 ? 'with one run at a time' : `and at most ${peak} of ${all} slots were in use`
}

function unsureWords({ verdict, stretches }: TuneDocument, moreSeeds: number | null): string {
  const { best } = verdict
  if (!holdsIn(stretches)) {
    return `The best on average is ${best}, but this depends on the season: ${stretchWords(stretches)}.`
  }
  const advice =
    moreSeeds === null
      ? 'more seeds would hardly tell'
      : `about ${several(moreSeeds, 'more seed')} would tell (--seeds)`
  return `The best on average is ${best}, but the difference may be chance; ${advice}.`
}

/** `it is better than today's in 3 of 4 stretches of the history`. */
export function stretchWords(stretches: readonly StretchResult[]): string {
  const better = stretches.filter(({ isBetter }) => isBetter).length
  return `it is better than today's in ${better} of ${stretches.length} stretches of the history`
}

/** What the advice would have done where nothing was searched; it helped if a goal is surely better and none worse. */
function unseenWords({ unseen }: TuneDocument): string[] {
  if (!unseen) return []
  const { pullRequests, againstToday } = unseen
  const goals = (['p95', 'ciMinutes'] as const).flatMap((name) => {
    const effect = againstToday[name]
    return effect ? [{ name, ...endsOf(effect.size), isRatio: effect.measure === 'ratio' }] : []
  })
  const even = ({ isRatio }: { readonly isRatio: boolean }): number => (isRatio ? 1 : 0)
  const helps =
    goals.some((goal) => goal.high < even(goal)) && !goals.some((goal) => goal.low > even(goal))
  const words = goals.map(
    ({ name }) => `${figureTable[name].title} ${changeWords(name, againstToday[name] ?? null)}`,
  )
  const verdict = helps ? 'it would have helped' : 'it would not surely have helped'
  return [
    `On the ${several(pullRequests, 'pull request')} that were kept apart ${verdict}: ${words.join(', ')}.`,
  ]
}

const mostListed = 3

/** Lists the first few names. */
function listed(names: readonly string[]): string {
  const more = names.length - mostListed
  return more > 0
    ? `${names.slice(0, mostListed).join('; ')}; and ${count(more)} more`
    : names.join('; ')
}

/** Formats an effect: `45 % less (40 to 49)`, `3.2 more (2 to 4)`, `no difference`. */
export function changeWords(name: FigureName, effect: EffectResult | null): string {
  if (!effect) return 'nothing landed'
  const { measure, size, verdict } = effect
  const { unit } = figureTable[name]
  const units = measure === 'ratio' ? ' %' : unit === '' ? '' : ` ${unit}`
  const { low, high } = endsOf(size)
  const scale = (value: number): number => (measure === 'ratio' ? 100 * (value - 1) : value)
  if (scale(low) === 0 && scale(high) === 0) return 'the same'
  const words = rangeWords([centreOf(size), low, high].map(scale), units)
  if (size.kind === 'seen') return `too few seeds: ${words}`
  if (verdict.kind === 'no difference') return `no difference: ${words}`
  return scale(low) <= 0 && scale(high) >= 0 ? `cannot tell: ${words}` : words
}

function rangeWords([mean = 0, low = 0, high = 0]: readonly number[], units: string): string {
  const size = `${figure(Math.abs(mean))}${units} ${mean < 0 ? 'less' : 'more'}`
  if (low === high) return `always ${size}`
  if (low > 0) return `${size} (${figure(low)} to ${figure(high)})`
  if (high < 0) return `${size} (${figure(-high)} to ${figure(-low)})`
  return `${size} (${figure(-low)} less to ${figure(high)} more)`
}

/** The mean of a figure of a setting, however much is known about it; null if nothing landed. */
export function meanIn({ figures }: SettingResult, name: FigureName): number | null {
  const result = figures[name] ?? null
  return result && centreOf(result.mean)
}

/** What was searched, and on which budget. */
export function searchWords({ search }: TuneDocument): string {
  const { simulated, combinations, seeds, runs, budget } = search
  if (simulated === 0) {
    return `Search: none, as all of ${several(combinations, 'combination')} are in the final; ${count(runs)} runs.`
  }
  return `Search: ${several(combinations, 'combination')} and steps beside the best, ${count(simulated)} settings on ${several(seeds, 'seed')}, ${count(runs)} runs, budget ${budget}; more time may find more (--budget 10m).`
}

/** What was not tried; nothing if all was. */
export function untriedWords({ untried }: { readonly untried: readonly string[] }): string[] {
  return untried.length === 0
    ? []
    : [`Not tried, the budget is too small: ${untried.join(', ')} (--budget).`]
}

/** Returns what is special about a setting. */
export function marksOf(setting: SettingResult, { verdict, named }: TuneDocument): string[] {
  const { name } = setting
  const isBest = (best: string): boolean => verdict.kind !== 'empty' && name === best
  return [
    ...(setting.isToday ? ['today'] : []),
    ...(verdict.kind === 'change' && name === verdict.choice ? ['advised'] : []),
    ...(isBest(named.fastest) ? ['fastest'] : []),
    ...(isBest(named.cheapest) ? ['cheapest'] : []),
    ...(isBest(named.safest) ? ['safest'] : []),
    ...(setting.breaksMain ? ['breaks main'] : []),
  ]
}

/** Sorts settings: those of the final first, the fastest first. */
export function fastestFirst(settings: readonly SettingResult[]): SettingResult[] {
  const order = { finalist: 0, around: 1, searched: 2 }
  const p95 = (setting: SettingResult): number => meanIn(setting, 'p95') ?? Infinity
  return settings.toSorted((a, b) => order[a.role] - order[b.role] || p95(a) - p95(b))
}

// How far the advice holds.

/** What to measure first: the made-up assumption whose limit is the nearest. Null if none has one. */
export function measureFirstWords(results: readonly SensitivityResult[]): string | null {
  const first = results.find(({ isMadeUp, times }) => isMadeUp && times !== null)
  if (!first) return null
  const { name, unit, today, onAverage, beyond } = first
  const { low, high } = onAverage
  const toLow = low === null ? Infinity : distanceTo(low, today, unit)
  const toHigh = high === null ? Infinity : distanceTo(high, today, unit)
  const [end, side, other] =
    toLow < toHigh ? [low, 'below', beyond.low] : [high, 'above', beyond.high]
  const here = `here it is ${assumedValue(today, unit)}`
  return `Measure ${measured[name] ?? name} first: ${side} ${assumedValue(end ?? today, unit)} ${other ?? 'another setting'} is better (${here}).`
}

/** What is measured, where its name alone is not a rate. */
const measured: Readonly<Record<string, string>> = {
  flakes: 'the share of flakes',
  breaks: 'the share that breaks',
  clashes: 'the share of clashes',
  'run length': 'the run length',
  arrivals: 'the rate of arrivals',
  concurrency: 'the number of slots',
}

/** The cells of a table of assumptions: name, value, limits, margin, what was tried, who takes over. */
export function sensitivityCells(result: SensitivityResult): Cell[] {
  const { name, unit, today, tried, times, isMadeUp } = result
  const [least = today, most = today] = [tried[0], tried.at(-1)]
  // Nothing has no multiple.
  const multiple = today === 0 ? '-' : `${figure(times ?? 0)} times`
  return [
    isMadeUp ? name : `${name}, from the history`,
    { text: hereWords(result), value: today },
    assumedRange(result.onAverage, unit),
    assumedRange(result.surely, unit),
    times === null ? 'none found' : { text: multiple, value: times },
    `${figure(least)} to ${assumedValue(most, unit)}`,
    beyondWords(result),
  ]
}

function beyondWords({ beyond, onAverage, unit }: SensitivityResult): string {
  const { low, high } = beyond
  const ends = [
    ...(low === null || onAverage.low === null ? [] : [[low, 'below', onAverage.low] as const]),
    ...(high === null || onAverage.high === null ? [] : [[high, 'above', onAverage.high] as const]),
  ]
  if (ends.length === 2 && low === high) return `on both sides: ${low ?? ''}`
  return ends.map(([name, side, at]) => `${side} ${assumedValue(at, unit)}: ${name}`).join('; ')
}

/** Formats a value: `4 %`, `25 min`, `15 an hour`, `5 slots`. */
function assumedValue(value: number, unit: string): string {
  if (unit === 'slots') return several(value, 'slot')
  return `${figure(value)} ${unit.startsWith('%') ? '%' : unit}`.trimEnd()
}

/** Today's value with its whole unit: `4 % of runs`. */
export function hereWords({ today, unit }: Pick<SensitivityResult, 'today' | 'unit'>): string {
  return unit.startsWith('%') ? `${figure(today)} ${unit}` : assumedValue(today, unit)
}

/** Formats a range: `up to 14 %`, `from 6 min`, `from 6 to 25 min`. */
export function assumedRange({ low, high }: AssumedRange, unit: string): string {
  if (low === null && high === null) return 'at any value tried'
  if (low === null) return `up to ${assumedValue(high ?? 0, unit)}`
  if (high === null) return `from ${assumedValue(low, unit)}`
  if (low === high) return `only at ${assumedValue(low, unit)}`
  return `from ${figure(low)} to ${assumedValue(high, unit)}`
}
