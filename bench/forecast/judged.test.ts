/** Which landings judge a forecast, and how sure the share in the range is. */

import { describe, expect, test } from 'vitest'
import { coverage, landedIn, raw, standardError } from './judged.ts'
import type { Told } from './told.ts'

const told: Told = { low: 10, median: 20, high: 40, lands: 1, minutes: 30, untilChange: Infinity }
const runOf = (...all: Told[]) => ({ moments: [{ told: all, untold: 0 }] })

describe('given a pause in an hour', () => {
  const soon = { ...told, untilChange: 60 }
  const late = { ...soon, median: 50, high: 90 }

  test('when a range ends before it, then every landing counts, also one after the pause', () => {
    const run = runOf(soon, { ...soon, minutes: 300 })
    expect(landedIn(run).map(({ minutes }) => minutes)).toEqual([30, 300])
  })

  test('when a range reaches past it, then not even a landing before the pause counts', () => {
    expect(landedIn(runOf(late, { ...late, minutes: 300 }))).toEqual([])
  })
})

test('given one that never landed, or a range without an end, then neither counts', () => {
  const run = runOf({ ...told, minutes: null }, { ...told, high: Infinity }, told)
  expect(landedIn(run)).toHaveLength(1)
})

describe('given two runs, of which one came true and one did not', () => {
  const early = { ...told, minutes: 1 }

  test('when each has more landings, then the share is no surer', () => {
    const few = [[told], [early]].map((run) => landedIn(runOf(...run)))
    const many = [told, early].map((each) =>
      landedIn(runOf(...Array.from({ length: 9 }, () => each))),
    )
    expect(coverage(many.flat(), raw)).toBe(0.5)
    expect(standardError(many, raw)).toBeCloseTo(standardError(few, raw) ?? NaN)
    expect(standardError(few, raw)).toBeCloseTo(0.5)
  })

  test('when there are four times as many runs, then the error is about half', () => {
    const runs = (count: number) =>
      Array.from({ length: count }, (_, index) => landedIn(runOf(index % 2 === 0 ? told : early)))
    const [few, many] = [runs(20), runs(80)].map((each) => standardError(each, raw) ?? NaN)
    expect((few ?? NaN) / (many ?? NaN)).toBeCloseTo(2, 1)
  })

  test('a single run says nothing of how sure the share is', () => {
    expect(standardError([landedIn(runOf(told, early))], raw)).toBeNull()
  })
})
