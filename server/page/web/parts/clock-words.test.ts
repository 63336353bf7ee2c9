import { expect, test } from 'vitest'
import { clock, lasting, lastingMinutes } from './time-words.ts'

const at = (day: number, hour: number, minute: number): number =>
  new Date(2026, 2, day, hour, minute).getTime()

test('an instant of today is its time, another has the weekday or the date', () => {
  const now = at(18, 9, 0)
  expect(clock(at(18, 14, 20), now)).toBe('14:20')
  expect(clock(at(18, 0, 0), now)).toBe('00:00')
  expect(clock(at(17, 23, 59), now)).toBe('Tue 23:59')
  expect(clock(at(24, 8, 5), now)).toBe('Tue 08:05')
  expect(clock(at(25, 8, 5), now)).toBe('25 Mar 08:05')
})

test('a length has the units that matter', () => {
  expect(lasting(-5)).toBe('0 s')
  expect(lasting(59_999)).toBe('59 s')
  expect(lasting(60_000)).toBe('1 min')
  expect(lastingMinutes(59.9)).toBe('59 min')
  expect(lastingMinutes(125)).toBe('2 h 05 min')
  expect(lastingMinutes(48 * 60 + 61)).toBe('2 d 1 h')
})
