import { describe, expect, test } from 'vitest'
import { intervalOf } from '../statistics/interval.ts'
import { Columns } from './aggregate.ts'

const aggregateOf = (values: readonly number[]) => {
  const columns = new Columns()
  for (const value of values) columns.add({ minutes: value })
  return columns.aggregates()['minutes']
}

describe('the aggregate of a figure over runs', () => {
  // S-60, S-221
  test('given fewer than ten runs, has their range and no interval', () => {
    expect(aggregateOf([3])).toEqual({ mean: 3, ci95: null, min: 3, max: 3 })
    const nine = [98, 214, 120, 150, 133, 141, 90, 300, 104]
    expect(aggregateOf(nine)).toEqual({ mean: 150, ci95: null, min: 90, max: 300 })
  })

  // S-60, S-221
  test('given the same value in all runs, has no interval', () => {
    const same = Array.from({ length: 20 }, () => 7)
    expect(aggregateOf(same)).toEqual({ mean: 7, ci95: null, min: 7, max: 7 })
  })

  // S-60, S-222
  test('from ten runs on, has the interval that every other mean over seeds has', () => {
    const ten = [98, 104, 110, 112, 115, 121, 130, 141, 160, 349]
    const interval = intervalOf(ten)
    expect(interval).toMatchObject({ kind: 'interval' })
    const { mean, low, high } = { low: 0, high: 0, mean: 0, ...interval }
    expect(aggregateOf(ten)).toEqual({ mean, ci95: [low, high], min: 98, max: 349 })
  })
})
