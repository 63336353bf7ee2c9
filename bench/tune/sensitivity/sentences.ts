/** How far the advice holds, in sentences. */

import { figure } from '../../statistics/text.ts'
import { assumedValue, hereWords, rangeWords } from './assumed.ts'
import { distanceTo } from './limits.ts'
import type { AssumedRange, SensitivityResult } from './results.ts'

/** How a sentence names an assumption as its subject. */
const subjects: Readonly<Record<string, string>> = {
  breaks: 'breaking pull requests',
  'run length': 'runs',
}

const subjectOf = ({ name }: SensitivityResult): string => subjects[name] ?? name

/** The advice holds while these stay where they are: a sentence for the head; null without any. */
export function holdsWords(results: readonly SensitivityResult[]): string | null {
  if (results.length === 0) return null
  const limited = results.filter(({ times }) => times !== null)
  const free = results.filter(({ times }) => times === null)
  const subject = 'This holds on average'
  const limits = limited.length === 0 ? '' : ` while ${listed(limited.map(stayWords))}`
  const names = listed(free.map(({ name }) => plurals[name] ?? name))
  const whatever = free.length === 0 ? '' : ` for all ${names} that were tried`
  return `${subject}${limits}${limits !== '' && whatever !== '' ? ', and' : ''}${whatever}.`
}

const plurals: Readonly<Record<string, string>> = {
  'run length': 'run lengths',
  concurrency: 'numbers of slots',
}

function stayWords(result: SensitivityResult): string {
  const { unit, onAverage } = result
  const { low, high } = onAverage
  if (result.name === 'concurrency') return `there are ${slotWords(onAverage)} slots`
  const subject = subjectOf(result)
  if (low !== null && high !== null) {
    return low === high
      ? `${subject} stay at ${assumedValue(low, unit)}`
      : `${subject} stay between ${figure(low)} and ${assumedValue(high, unit)}`
  }
  return low === null
    ? `${subject} stay below ${assumedValue(high ?? 0, unit)}`
    : `${subject} stay above ${assumedValue(low, unit)}`
}

function slotWords({ low, high }: AssumedRange): string {
  if (low === null) return `at most ${high ?? 0}`
  if (high === null) return `at least ${low}`
  return low === high ? `${low}` : `${low} to ${high}`
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`

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
  'run length': 'the run length',
  arrivals: 'the rate of arrivals',
  concurrency: 'the number of slots',
}

/** The columns of a table of assumptions, one row each: name, value, limits, who takes over. */
export function sensitivityRow(result: SensitivityResult): string[] {
  const { name, unit, today, tried, isMadeUp } = result
  const [least = today, most = today] = [tried[0], tried.at(-1)]
  return [
    name,
    hereWords(result),
    isMadeUp ? '' : 'from the history',
    rangeWords(result.surely, unit),
    rangeWords(result.onAverage, unit),
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
