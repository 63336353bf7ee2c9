import { expect, test } from 'vitest'
import { calendarOf } from '../../scenario/calendar.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { arrivalsByHour } from './pictures.ts'

const hour = 60
const day = 24 * hour

const history: Scenario = {
  name: 'history',
  // A Monday.
  startsAt: '2026-03-02T09:30Z',
  pullRequests: [
    { number: 1 },
    { number: 2, at: 29 },
    { number: 3, at: 30 },
    { number: 4, at: 14.5 * hour },
    { number: 5, at: 7 * day },
    { number: 6, at: 4 * day + 20 * hour },
  ],
}

function arrivalsIn(scenario: Scenario): string[] {
  const calendar = calendarOf(scenario)
  if (!calendar) return []
  return arrivalsByHour(scenario.pullRequests ?? [], calendar)
    .filter(({ numbers }) => numbers.length > 0)
    .map(({ weekday, hour: at, numbers }) => `${weekday} ${at}: ${numbers.join(' ')}`)
}

// S-210
test('pull requests are counted at their weekday and hour, of any week', () => {
  expect(arrivalsIn(history)).toEqual(['Mon 9: 1 2 5', 'Mon 10: 3', 'Tue 0: 4', 'Sat 5: 6'])
})

// S-210
test('a busier history has the same weekdays and hours', () => {
  for (const busier of [2, 7, 20, 1000]) {
    const scenario = {
      ...history,
      dayMinutes: day / busier,
      pullRequests: (history.pullRequests ?? []).map(({ number, at = 0 }) => ({
        number,
        at: Math.round((at * 60_000) / busier) / 60_000,
      })),
    }
    expect(arrivalsIn(scenario)).toEqual(arrivalsIn(history))
  }
})

test('a week has 168 hours', () => {
  const calendar = calendarOf(history)
  expect(calendar && arrivalsByHour([], calendar)).toHaveLength(168)
})
