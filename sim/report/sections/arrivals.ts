/** When the pull requests of a history were submitted: a heat map of weekdays and hours. */

import { count, duration, several, share } from '../../../server/terminal/text.ts'
import {
  barTarget,
  type Chart,
  chartInSizes,
  color,
  ownColor,
  targetRows,
} from '../../html/chart.ts'
import { type Html, html } from '../../html/html.ts'
import { type Bar, card, type IsShown, key, right, type Table } from '../../html/components.ts'
import { type PullRequestEntry, type Scenario, scenarioDefaults } from '../../scenario/scenario.ts'
import { calendarOf, dateText, weekHourOf, weekdays } from '../../scenario/time.ts'
import type { Calendar, Weekday } from '../../scenario/time.ts'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

type Hour = { readonly weekday: Weekday; readonly hour: number; readonly numbers: number[] }

/** Returns the 168 hours of a week, each with the pull requests that were first submitted in it. */
export function arrivalsByHour(
  pullRequests: readonly PullRequestEntry[],
  calendar: Calendar,
): Hour[] {
  const all = weekdays.flatMap((weekday) =>
    hours.map((hour): Hour => ({ weekday, hour, numbers: [] })),
  )
  for (const { number, at = 0 } of pullRequests) {
    const { weekday, hour } = weekHourOf(calendar.timeAt(at))
    all[weekdays.indexOf(weekday) * hours.length + hour]?.numbers.push(number)
  }
  return all
}

/** Returns nothing for a scenario that does not say when its history began. */
export async function arrivalsCard(scenario: Scenario, isShown: IsShown): Promise<Html | null> {
  const { pullRequests = [] } = scenario
  const calendar = calendarOf(scenario)
  if (calendar === null || pullRequests.length === 0) return null
  const all = arrivalsByHour(pullRequests, calendar)
  const most = all.reduce((high, { numbers }) => Math.max(high, numbers.length), 0)
  const bars = all.map(barOf)
  return card({
    title: 'Arrivals by weekday and hour',
    about: aboutOf(scenario, calendar, all),
    isWide: true,
    body: html`${key(legendOf(most), 'pull requests in an hour')}
    ${await weekHoursChart(all, bars, most)}`,
    list: { bars, isShown, each: 'hour' },
    numbers: numbersOf(all),
  })
}

/** Null for an hour without any. */
function barOf({ weekday, hour, numbers }: Hour): Bar | null {
  const amount = numbers.length
  const about = `${weekday} ${clock(hour)} to ${clock(hour + 1)}: ${several(amount, 'pull request')}`
  return amount === 0 ? null : { about, members: [{ what: '', numbers }] }
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

function aboutOf(scenario: Scenario, calendar: Calendar, all: readonly Hour[]): string {
  const { pullRequests = [], dayMinutes = scenarioDefaults.dayMinutes } = scenario
  const times = pullRequests.map(({ at = 0 }) => calendar.timeAt(at))
  const first = times.reduce((a, b) => Math.min(a, b), Infinity)
  const last = times.reduce((a, b) => Math.max(a, b), -Infinity)
  const weekend = all
    .filter(({ weekday }) => weekday === 'Sat' || weekday === 'Sun')
    .reduce((sum, { numbers }) => sum + numbers.length, 0)
  const pace =
    dayMinutes === scenarioDefaults.dayMinutes
      ? ''
      : ` A day of the history lasts ${duration(dayMinutes)} in this run; the hours are those of the history.`
  return `First submissions from ${dateText(first)} to ${dateText(last)}, hours in UTC; ${share(weekend, pullRequests.length)} at weekends.${pace}`
}

/** The colours go from low to high values, without the first, which looks like an empty hour. */
const colors = [2, 3, 4, 5, 6, 7].map((step) => `heat-${step}`)

/** Returns the colour of an amount. All colours cover a range of equal size. */
function colorOf(amount: number, most: number): string {
  return colors[Math.ceil((amount * colors.length) / most) - 1] ?? 'ground'
}

/** The range of each colour that occurs. */
function legendOf(most: number): { readonly color: string; readonly means: string }[] {
  const amounts = Array.from({ length: most }, (_, index) => index + 1)
  const ranges = colors.flatMap((each) => {
    const of = amounts.filter((amount) => colorOf(amount, most) === each)
    const [least = 0, top = 0] = [of[0], of.at(-1)]
    const means = least === top ? count(least) : `${count(least)} to ${count(top)}`
    return of.length === 0 ? [] : [{ color: each, means }]
  })
  return [{ color: 'ground', means: 'none' }, ...ranges]
}

function numbersOf(all: readonly Hour[]): Table {
  return {
    head: ['UTC', ...weekdays.map((weekday) => right(weekday))],
    rows: hours.map((hour) => [
      clock(hour),
      ...all.filter((each) => each.hour === hour).map(({ numbers }) => count(numbers.length)),
    ]),
  }
}

const sizes = {
  wide: { width: 1060, row: 24, gap: 0.06, everyHours: 1 },
  medium: { width: 650, row: 24, gap: 0.06, everyHours: 1 },
  narrow: { width: 300, row: 26, gap: 0.04, everyHours: 6 },
}

/** A row for each weekday, a column for each hour. */
function weekHoursChart(
  all: readonly Hour[],
  bars: readonly (Bar | null)[],
  most: number,
): Promise<Html> {
  const rows = targetRows(bars, (index) => {
    const { weekday = 'Mon', hour = 0, numbers = [] } = all[index] ?? {}
    return { weekday, hour, color: color(colorOf(numbers.length, most)) }
  })
  return chartInSizes(sizes, ({ width, row, gap, everyHours }): Chart => {
    const axis = { title: null, domain: false, ticks: false, labelAngle: 0 }
    const gaps = { paddingInner: gap, paddingOuter: 0 }
    return {
      name: 'Pull requests by weekday and hour of their submission, in UTC',
      width,
      height: weekdays.length * row,
      rows,
      encoding: {
        x: {
          field: 'hour',
          type: 'ordinal',
          scale: { domain: hours, ...gaps },
          axis: { ...axis, values: hours.filter((hour) => hour % everyHours === 0) },
        },
        y: { field: 'weekday', type: 'ordinal', scale: { domain: [...weekdays], ...gaps }, axis },
      },
      layer: [
        {
          data: { values: all.map(({ weekday, hour }) => ({ weekday, hour })) },
          mark: { type: 'rect', color: color('ground') },
        },
        {
          mark: { type: 'rect', aria: true },
          encoding: { ...barTarget, color: ownColor },
        },
      ],
    }
  })
}
