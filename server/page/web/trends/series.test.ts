import { expect, test } from 'vitest'
import type { TrendHour } from '../../frame.ts'
import { amount, lengthSeries, passSeries, pathOf, topOf } from './trend-cards.tsx'

const hour = (fields: Partial<TrendHour>): TrendHour => ({
  from: '2026-03-18T09:00:00.000Z',
  merged: 0,
  failed: 0,
  medianMinutes: null,
  p95Minutes: null,
  runsPassed: 0,
  runsFailed: 0,
  healthyEvicted: 0,
  ...fields,
})

test('the pass rate of the whole time counts runs, not hours', () => {
  const series = passSeries([
    hour({ runsPassed: 9, runsFailed: 1 }),
    hour({}),
    hour({ runsPassed: 0, runsFailed: 10 }),
  ])
  expect(series.values).toEqual([90, null, 0])
  expect(series.whole).toBe(45)
  expect(passSeries([hour({})]).whole).toBeNull()
})

test('the middle of the hours leaves out those without any', () => {
  const hours = [30, null, 10, 20].map((medianMinutes) => hour({ medianMinutes }))
  expect(lengthSeries('half', hours, 'medianMinutes').whole).toBe(20)
})

test('a length below a minute is told in seconds', () => {
  expect([0, 0.7, 12.4, 90].map((minutes) => amount(minutes, 'minutes'))).toEqual([
    '0 s',
    '42 s',
    '12 min',
    '1 h 30 min',
  ])
})

test('an axis ends at a round number', () => {
  expect(topOf([], 1)).toBe(1)
  expect([3, 7, 11, 23, 41, 99, 101].map((value) => topOf([value, null], 1))).toEqual([
    5, 10, 20, 25, 50, 100, 200,
  ])
})

test('a line has gaps, and an hour between two gaps is a dot', () => {
  const size = { width: 60, height: 10 }
  expect(pathOf([0, 10, null, 5, null, 10, 5], 10, size)).toBe('M0 10L10 0M30 5h0M50 0L60 5')
})
