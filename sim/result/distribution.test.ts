import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distributionOf } from './distribution.ts'

const minutes = (...times: number[]): number[] => times.map((time) => time * 60_000)

test('percentiles use the nearest rank', () => {
  expect(distributionOf(minutes(4, 1, 3, 2))).toEqual({ mean: 2.5, p50: 2, p95: 4, p99: 4, max: 4 })
  const hundred = minutes(...Array.from({ length: 100 }, (_, index) => 100 - index))
  expect(distributionOf(hundred)).toEqual({ mean: 50.5, p50: 50, p95: 95, p99: 99, max: 100 })
  expect(distributionOf(minutes(7))).toEqual({ mean: 7, p50: 7, p95: 7, p99: 7, max: 7 })
})

test('without times, every value is null', () => {
  expect(distributionOf([])).toEqual({ mean: null, p50: null, p95: null, p99: null, max: null })
})

test('each percentile is one of the times, and at least its share of the times is not above it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 1 }), (times) => {
      const { p50, p95, p99 } = distributionOf(times)
      for (const [percentile, share] of [
        [p50, 0.5],
        [p95, 0.95],
        [p99, 0.99],
      ] as const) {
        const ms = Math.round((percentile ?? -1) * 60_000)
        expect(times).toContain(ms)
        expect(times.filter((time) => time <= ms).length / times.length).toBeGreaterThanOrEqual(
          share,
        )
      }
    }),
  )
})
