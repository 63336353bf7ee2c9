import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawsOf, longestLognormalMs, nameOf, purposes } from './draw.ts'

const draws = drawsOf(1)

/** What `sample` gives for the keys 0 .. n - 1. */
function samples(n: number, sample: (key: number) => number): number[] {
  return Array.from({ length: n }, (_, key) => sample(key))
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** How far from even the values of 0 .. 1 fall into 20 drawers; about 19 when they are even. */
function unevenness(values: readonly number[]): number {
  const drawers = Array.from({ length: 20 }, () => 0)
  for (const value of values)
    drawers[Math.floor(value * 20)] = (drawers[Math.floor(value * 20)] ?? 0) + 1
  const even = values.length / drawers.length
  return drawers.reduce((sum, count) => sum + (count - even) ** 2 / even, 0)
}

describe('a keyed draw', () => {
  test('is the same whenever it is made, and whatever was drawn before', () => {
    const first = draws.unit('breaks', 7)
    draws.unit('breaks', 8)
    drawsOf(2).unit('breaks', 7)
    expect(draws.unit('breaks', 7)).toBe(first)
    expect(drawsOf(1).unit('breaks', 7)).toBe(first)
  })

  test('is another for another seed, purpose or key', () => {
    const some = [
      draws.unit('breaks', 7),
      draws.unit('breaks', 8),
      draws.unit('urgent', 7),
      drawsOf(2).unit('breaks', 7),
      draws.unit('breaks', '7 '),
    ]
    expect(new Set(some).size).toBe(some.length)
  })

  test('has a place of its own for each purpose', () => {
    const places = Object.values(purposes).map(([place]) => place)
    expect(places).toEqual(places.map((_, index) => index))
  })

  test('falls evenly, even for keys that differ in their last digit', () => {
    const one = samples(20_000, (key) => draws.unit('breaks', key))
    expect(mean(one)).toBeCloseTo(0.5, 2)
    // 43.8 is exceeded once in a thousand times.
    expect(unevenness(one)).toBeLessThan(43.8)
  })

  test('says nothing about the draw of a neighbour, another purpose or another seed', () => {
    const correlation = (other: (key: number) => number): number =>
      12 * mean(samples(20_000, (key) => (draws.unit('breaks', key) - 0.5) * (other(key) - 0.5)))
    expect(Math.abs(correlation((key) => draws.unit('breaks', key + 1)))).toBeLessThan(0.03)
    expect(Math.abs(correlation((key) => draws.unit('urgent', key)))).toBeLessThan(0.03)
    expect(Math.abs(correlation((key) => drawsOf(2).unit('breaks', key)))).toBeLessThan(0.03)
  })

  test('stays what it is from version to version: every recorded seed depends on it', () => {
    expect(draws.unit('arrivals', 1001)).toBe(0.9010950301308185)
    expect(draws.unit('breaks', 1001)).toBe(0.03702270844951272)
    expect(drawsOf(42).integer('tie', 'result 7', 1_000_000)).toBe(507844)
    expect(draws.exponentialMs('arrivals', 1001, 60_000)).toBe(138816)
    expect(draws.lognormalMs('1,2', { medianMs: 60_000, p95Ms: 90_000 })).toBe(71703)
  })
})

describe('what is drawn', () => {
  test('chances: never at 0, always at 1, as often as said between', () => {
    const hits = samples(10_000, (key) => Number(draws.chance('breaks', key, 0.04)))
    expect(mean(hits)).toBeCloseTo(0.04, 2)
    fc.assert(
      fc.property(fc.nat(), (key) => {
        expect(draws.chance('breaks', key, 0)).toBe(false)
        expect(draws.chance('breaks', key, 1)).toBe(true)
      }),
    )
  })

  test('integers and spans keep to their bounds, and reach them', () => {
    const dice = new Set(samples(200, (key) => draws.integer('targets', key, 6)))
    expect(dice).toEqual(new Set([0, 1, 2, 3, 4, 5]))
    const spans = new Set(samples(200, (key) => draws.uniformMs('run minutes', key, [5, 8])))
    expect(spans).toEqual(new Set([5, 6, 7, 8]))
  })

  test('tries until the first success, each of them with the same chance', () => {
    const tries = samples(20_000, (key) => draws.tries('conflicts', key, 0.25))
    expect(Math.min(...tries)).toBe(1)
    expect(mean(tries)).toBeCloseTo(4, 1)
    expect(draws.tries('conflicts', 1, 1)).toBe(1)
  })

  test('exponential lengths have their mean, in whole milliseconds', () => {
    const lengths = samples(20_000, (key) => draws.exponentialMs('run minutes', key, 60_000))
    expect(lengths.every(Number.isInteger)).toBe(true)
    expect(mean(lengths) / 60_000).toBeCloseTo(1, 1)
  })

  test('lognormal lengths have their median and 95th percentile, and a longest', () => {
    const shape = { medianMs: 20 * 60_000, p95Ms: 45 * 60_000 }
    const lengths = samples(20_000, (key) => draws.lognormalMs(key, shape)).sort((a, b) => a - b)
    expect((lengths[10_000] ?? 0) / shape.medianMs).toBeCloseTo(1, 1)
    expect((lengths[19_000] ?? 0) / shape.p95Ms).toBeCloseTo(1, 1)
    expect(lengths.at(-1)).toBeLessThanOrEqual(longestLognormalMs(shape))
    expect(longestLognormalMs({ medianMs: 0, p95Ms: 0 })).toBe(0)
  })
})

describe('the name of a list', () => {
  test('is short, and another for another list or order', () => {
    const long = Array.from({ length: 500 }, (_, index) => index)
    expect(nameOf(long).length).toBeLessThan(40)
    expect(nameOf([1, 2, 3])).toBe(nameOf([1, 2, 3]))
    const names = [[1, 2, 3], [3, 2, 1], [1, 23], [12, 3], [1, 2], []].map(nameOf)
    expect(new Set(names).size).toBe(names.length)
  })
})
