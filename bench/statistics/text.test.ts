import { describe, expect, test } from 'vitest'
import { intervalOf } from '../../sim/statistics/interval.ts'
import { rangeOfSeeds } from '../tune/verdict.ts'
import { cellText } from './text.ts'

// S-223
test('the range of single seeds holds 80 % of the seeds', () => {
  const values = Array.from({ length: 99 }, (_, index) => index + 1)
  expect(rangeOfSeeds(values)).toEqual({ low: 10, high: 90 })
  expect(rangeOfSeeds(values.toReversed())).toEqual(rangeOfSeeds(values))
  expect(rangeOfSeeds(values.slice(0, 9))).toBeNull()
})

describe('as text', () => {
  // S-221
  test('no interval is printed that does not exist', () => {
    const interval = { kind: 'interval', mean: 155.4, low: 122, high: 190, seeds: 20 } as const
    expect(cellText(interval)).toBe('155 (122 to 190)')
    expect(cellText(intervalOf([98, 214, 120, 150, 133, 141]))).toBe('98 to 214')
    expect(cellText(intervalOf([3]))).toBe('3')
    expect(cellText(intervalOf([1.76, 1.76]))).toBe('always 1.76')
    expect(cellText(intervalOf([98, 214]))).toBe('98 to 214')
    expect(cellText(null)).toBe('-')
  })
})
