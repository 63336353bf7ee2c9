import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMillis, toMinutes, calendarOf, dateText, isRealTime, weekHourOf } from './time.ts'

test('minutes become whole milliseconds', () => {
  expect(toMillis(0.5)).toBe(30_000)
  expect(toMillis(1 / 3)).toBe(20_000)
  expect(toMinutes(90_000)).toBe(1.5)
})

test('whole milliseconds survive the conversion to minutes and back', () => {
  fc.assert(
    fc.property(fc.nat(4_000_000_000_000), (ms) => {
      expect(toMillis(toMinutes(ms))).toBe(ms)
    }),
  )
})

const timeIn = (scenario: Parameters<typeof calendarOf>[0], minutes: number): string =>
  new Date(calendarOf(scenario)?.timeAt(minutes) ?? NaN).toISOString()

// S-210
test('a scenario that does not say when it started has no calendar', () => {
  expect(calendarOf({ name: 'a', dayMinutes: 72 })).toBeNull()
})

// S-210
test('an instant is as many minutes after the start', () => {
  const scenario = { name: 'a', startsAt: '2026-03-01T23:30Z' }
  expect(timeIn(scenario, 0)).toBe('2026-03-01T23:30:00.000Z')
  expect(timeIn(scenario, 29.99)).toBe('2026-03-01T23:59:59.000Z')
  expect(timeIn(scenario, 30)).toBe('2026-03-02T00:00:00.000Z')
})

// S-210
test('a busier history keeps its dates: each of its short days is a real day', () => {
  const scenario = { name: 'a', startsAt: '2026-03-01T23:30Z', dayMinutes: 72 }
  expect(timeIn(scenario, 72)).toBe('2026-03-02T23:30:00.000Z')
  // 30 minutes divided by 20, and by 7, as an import rounds them.
  expect(timeIn(scenario, 1.5)).toBe('2026-03-02T00:00:00.000Z')
  const seventh = { ...scenario, dayMinutes: 1440 / 7 }
  expect(timeIn(seventh, Math.round(1_800_000 / 7) / 60_000)).toBe('2026-03-02T00:00:00.000Z')
})

test('weekdays and hours are in UTC', () => {
  expect(weekHourOf(Date.parse('2026-11-22T21:59:59Z'))).toEqual({ weekday: 'Sun', hour: 21 })
  expect(weekHourOf(Date.parse('2026-11-23T00:00:00Z'))).toEqual({ weekday: 'Mon', hour: 0 })
  expect(dateText(Date.parse('2016-03-01T12:00Z'))).toBe('Tue 2016-03-01')
})

test('a date that no month has does not exist', () => {
  expect(isRealTime('2026-02-28T00:00Z')).toBe(true)
  expect(isRealTime('2026-02-30T00:00Z')).toBe(false)
  expect(isRealTime('2026-13-01T00:00Z')).toBe(false)
})
