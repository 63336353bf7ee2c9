/** When the pull requests of a history were submitted: a heat map of weekdays and hours. */

import {
  calendarOf,
  dateText,
  weekHourOf,
  weekdays,
  type Calendar,
  type Weekday,
} from '../../scenario/calendar.ts'
import { scenarioDefaults, type PullRequestEntry, type Scenario } from '../../scenario/scenario.ts'
import { count, duration, several, share } from '../../terminal/text.ts'
import { colorStep, weekHoursChart, type HourCell } from '../charts/week-hours.ts'
import { barList, type IsShown } from '../page/bar-list.ts'
import { html, type Html } from '../page/html.ts'
import { card, key, table } from '../page/pieces.ts'

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
  const title = 'Arrivals by weekday and hour'
  const all = arrivalsByHour(pullRequests, calendar)
  const cells = all.map(cellOf)
  const most = cells.reduce((high, { amount }) => Math.max(high, amount), 0)
  return card({
    title,
    about: aboutOf(scenario, calendar, all),
    isWide: true,
    body: html`${key(legendOf(most), 'pull requests in an hour')}
    ${await weekHoursChart('Pull requests by weekday and hour of their submission, in UTC', cells)}`,
    list: barList(
      title,
      cells.map(({ bar }) => bar),
      { isShown, each: 'hour' },
    ),
    numbers: numbersOf(title, all),
  })
}

function cellOf({ weekday, hour, numbers }: Hour): HourCell {
  const amount = numbers.length
  const about = `${weekday} ${clock(hour)} to ${clock(hour + 1)}: ${several(amount, 'pull request')}`
  const bar = amount === 0 ? null : { about, members: [{ what: '', numbers }] }
  return { weekday, hour, amount, bar }
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

/** The range of each colour that occurs. */
function legendOf(most: number): { readonly color: string; readonly means: string }[] {
  const amounts = Array.from({ length: most }, (_, index) => index + 1)
  const steps = [...new Set(amounts.map((amount) => colorStep(amount, most)))]
  const ranges = steps.map((step) => {
    const of = amounts.filter((amount) => colorStep(amount, most) === step)
    const [least, top] = [of[0] ?? 0, of.at(-1) ?? 0]
    const means = least === top ? count(least) : `${count(least)} to ${count(top)}`
    return { color: `heat-${step + 2}`, means }
  })
  return [{ color: 'ground', means: 'none' }, ...ranges]
}

function numbersOf(title: string, all: readonly Hour[]): Html {
  return table(
    [{ title: 'UTC' }, ...weekdays.map((weekday) => ({ title: weekday, leans: 'right' as const }))],
    hours.map((hour) => [
      clock(hour),
      ...all.filter((each) => each.hour === hour).map(({ numbers }) => count(numbers.length)),
    ]),
    { name: title },
  )
}
