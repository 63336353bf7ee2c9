/** The answer in sentences, and as text for a terminal. */

import { type Interval, endsOf } from '../../sim/statistics/interval.ts'
import { count, several } from '../../server/terminal/text.ts'
import type { Look } from '../../server/terminal/output.ts'
import { type Told, toldText } from '../../sim/html/told.ts'
import { cellText, figure } from '../statistics/text.ts'
import type { Binding } from './capacity-worker.ts'
import {
  type CapacityDocument,
  type CapacityRow,
  byHeadroom,
  meanHeadroom,
  todayName,
} from './document.ts'

type Headroom = Pick<CapacityRow, 'headroom' | 'openEnds'>

/** Also of one seed it is known between which loads it ends. */
function rangeText(headroom: Interval): string {
  const [low, high] = [figure(endsOf(headroom).low), figure(endsOf(headroom).high)]
  return headroom.seeds > 1 || low === high ? cellText(headroom) : `${low} to ${high}`
}

/** How many times today's pull requests, with its interval; of what keeps up everywhere there is none. */
function headroomText(row: Headroom): string {
  const { headroom, openEnds } = row
  if (!headroom) return 'less than today'
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
  'several at once': 'several things bind at once',
}

const isMore = ({ againstToday }: CapacityRow): boolean =>
  againstToday?.measure === 'ratio' && endsOf(againstToday.size).low > 1

/** The setting, or what can be bought, that surely keeps up with more than today's, and with most. */
export function bestOf({ rows }: CapacityDocument, isSetting: boolean): CapacityRow | undefined {
  return byHeadroom(rows).find((row) => row.isSetting === isSetting && isMore(row))
}

function unseenWords({ unseen }: CapacityDocument): string[] {
  const advised = unseen?.rows.find(({ name }) => name !== todayName)
  const today = unseen?.rows.find(({ name }) => name === todayName)
  if (!unseen || !advised || !today) return []
  const helps = isMore(advised)
    ? `the setting "${advised.name}" would have helped`
    : `the setting "${advised.name}" would not surely have helped`
  return [
    `On the ${several(unseen.pullRequests, 'pull request')} that were kept apart ${helps}: ${headroomText(advised)} instead of ${headroomText(today)}, ${againstText(advised)}.`,
  ]
}

function budgetWords({ rows, budget }: CapacityDocument): string[] {
  const names = rows.filter(({ cutOff }) => cutOff > 0).map(({ name }) => name)
  if (names.length === 0) return []
  const where = names.length === rows.length ? 'every setting' : names.join(', ')
  return [
    `The budget of ${budget} ended the search early for ${where}: the intervals are wide, or what binds is not known.`,
  ]
}

/** Returns the answer: today's setting first, then the best setting, then what is worth buying. */
export function answerOf(document: CapacityDocument): string[] {
  const { rows, perHour, seeds, limitMinutes, unmeasured, budget, isInterrupted } = document
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
        : `At ${rangeText(today.headroom)} times today's pull requests${today.openEnds > 0 ? ' or more' : ''}${pace}, you no longer keep up: ${end}. What binds is ${bindsText(today, seeds)}.`
  const [setting, bought] = [bestOf(document, true), bestOf(document, false)]
  const more = (row: CapacityRow): string =>
    row.binds.length === 0 && row.cutOff > 0
      ? isText(row)
      : `${isText(row)}; after that, ${bindsClause(row, seeds)}`
  const early = budgetWords(document)
  const isWhole = unmeasured.length === 0 && early.length === 0
  const limit = isInterrupted ? 'before the interrupt' : `with a budget of ${budget}`
  const unless = (sentence: string): string[] => (isWhole ? [sentence] : [])
  return [
    start,
    ...(setting
      ? [`With the setting "${setting.name}" it is ${more(setting)}.`]
      : unless('No other setting surely keeps up with more.')),
    ...(bought
      ? [`With ${bought.name} and today's setting it is ${more(bought)}.`]
      : unless('Nothing that was tried to buy surely helps.')),
    ...(unmeasured.length === 0 ? [] : [`Not measured ${limit}: ${unmeasured.join(', ')}.`]),
    ...early,
    ...unseenWords(document),
  ]
}

export function capacityText(document: CapacityDocument, look: Look): string {
  return `${document.scenario}: ${answerOf(document).join('\n')}\n\n${toldText(toldSettings(document), look)}`
}

export function toldSettings(document: CapacityDocument): Told {
  const { rows, seeds, hasPrices, pricedAt, limitMinutes, budget, isInterrupted } = document
  const kept = isInterrupted ? 'Interrupted; what is known is from' : 'From'
  return {
    ...{ id: 'settings', title: 'What each setting can take' },
    about: `${kept} ${several(seeds, 'seed')}, budget ${budget}. A queue keeps up if it is left with at most one of a hundred pull requests that come, and the p95 of the time to land is at most ${count(limitMinutes)} minutes.`,
    table: {
      head: [
        ...['setting', "times today's pull requests", "against today's setting", 'what ends it'],
        ...['what binds first', ...(hasPrices ? [`price at ${figure(pricedAt)} times`] : [])],
      ],
      rows: rows.map((row) => [
        ...[row.name, headroomText(row), againstText(row)],
        ...[`${row.endedBy.trend} trend, ${row.endedBy.limit} limit`, bindsText(row, seeds)],
        ...(hasPrices ? [row.price === null ? '-' : figure(row.price)] : []),
      ]),
    },
  }
}

function againstText({ againstToday }: CapacityRow): string {
  if (!againstToday) return ''
  return againstToday.measure === 'ratio'
    ? `x ${cellText(againstToday.size)}`
    : cellText(againstToday.size)
}
