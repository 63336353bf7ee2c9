import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { scenarioOf } from '../../../sim/testing/simulated.ts'
import { meanScore, scoreOf, wishesOf } from '../figures/wishes.ts'
import { figuresWith } from '../testing/trials.ts'
import { eventsIn, hasFineSteps, readBudget, searchEventsIn, stopAfter } from './budget.ts'
import { affordable, newSeedsOf, ranksOf, rungsOf, sharedSeedsOf, survivors } from './halving.ts'
import { reproducing } from './reproducing.ts'

// S-71
describe('rungs', () => {
  test('halve the settings until six are left', () => {
    expect(rungsOf(256)).toEqual([256, 128, 64, 32, 16, 8])
    expect(rungsOf(13)).toEqual([13, 7])
    expect(rungsOf(7)).toEqual([7])
    expect(rungsOf(6)).toEqual([])
  })

  const plan = {
    eventsLeft: 600_000,
    rungsLeft: 3,
    isFirst: false,
    settings: 10,
    eventsPerRun: 1000,
    runsToCatchUp: 0,
  }

  test('share what is left equally, and every setting gets as many seeds', () => {
    expect(newSeedsOf(plan)).toBe(20)
    expect(newSeedsOf({ ...plan, settings: 20 })).toBe(10)
    expect(newSeedsOf({ ...plan, runsToCatchUp: 100 })).toBe(10)
  })

  test('have at least one new seed, the first at least two, and none more than forty', () => {
    expect(newSeedsOf({ ...plan, eventsLeft: 0 })).toBe(1)
    expect(newSeedsOf({ ...plan, eventsLeft: 0, isFirst: true })).toBe(2)
    expect(newSeedsOf({ ...plan, settings: 1 })).toBe(40)
  })

  test('settings that join late run on some of the seeds before, for half of the rung at most', () => {
    const late = { ...plan, rungsLeft: 1, joining: 30, seeds: 25 }
    expect(sharedSeedsOf(late)).toBe(10)
    expect(newSeedsOf({ ...plan, rungsLeft: 1, settings: 30, runsToCatchUp: 300 })).toBe(10)
    expect(sharedSeedsOf({ ...late, joining: 2 })).toBe(25)
    expect(sharedSeedsOf({ ...late, eventsLeft: 0 })).toBe(1)
  })

  test('given a budget for fewer settings than there are, only so many are tried', () => {
    expect(affordable(1_000_000, 5000)).toBe(50)
    expect(affordable(1, 5000)).toBe(7)
  })
})

describe('ranks', () => {
  test('the least score has rank 1, and of equal ones the setting nearer to today', () => {
    expect(ranksOf([3, 1, 2])).toEqual([3, 1, 2])
    expect(ranksOf([1, 1, Infinity, 0])).toEqual([2, 3, 4, 1])
  })

  test('a setting survives by its best rank under any wish', () => {
    const time = [1, 2, 3, 4]
    const cost = [4, 3, 2, 1]
    expect(survivors([time, cost], 2)).toEqual([0, 3])
    expect(survivors([time, cost], 3)).toEqual([0, 1, 3])
    expect(survivors([cost, time], 1)).toEqual([3])
    expect(survivors([time], 9)).toEqual([0, 1, 2, 3])
  })
})

describe('the score of a run', () => {
  const run = figuresWith({ p95: 100, ciMinutes: 25, price: 4, unproven: 7 })

  test('is the logarithm of what is wished for; half the wait is worth twice the cost', () => {
    expect(scoreOf(run, 'time')).toBe(Math.log(100))
    expect(scoreOf(run, 'cost')).toBe(Math.log(25))
    expect(scoreOf(run, 'price')).toBe(Math.log(4))
    expect(scoreOf(run, 'balance')).toBeCloseTo(Math.log(50), 12)
    const other = figuresWith({ p95: 50, ciMinutes: 50 })
    expect(scoreOf(other, 'balance')).toBeCloseTo(Math.log(50), 12)
  })

  test('for safety is the count of unproven merges, and the balance decides between equals', () => {
    expect(Math.floor(scoreOf(run, 'safety') ?? NaN)).toBe(7)
    const faster = figuresWith({ p95: 90, ciMinutes: 25, unproven: 7 })
    expect(scoreOf(faster, 'safety')).toBeLessThan(scoreOf(run, 'safety') ?? NaN)
  })

  test('given a seed in which nothing lands, the setting is the worst', () => {
    expect(meanScore([run, figuresWith({ p95: null, ciMinutes: null })], 'time')).toBe(Infinity)
    expect(meanScore([run, run], 'time')).toBe(Math.log(100))
  })

  test('the preferred wish comes first, and price only if there is one', () => {
    expect(wishesOf('cost', false)).toEqual(['cost', 'balance', 'time', 'safety'])
    expect(wishesOf('price', true)).toEqual(['price', 'balance', 'time', 'cost', 'safety'])
  })
})

describe('the budget', () => {
  test('is the work of two cores in a time', () => {
    expect(readBudget('90s')).toEqual({ text: '90s', seconds: 90 })
    expect(readBudget('1.5m')).toEqual({ text: '1.5m', seconds: 90 })
    expect(readBudget('1h')).toEqual({ text: '1h', seconds: 3600 })
    expect(eventsIn({ text: '2m', seconds: 120 })).toBe(36_000_000)
    expect(searchEventsIn({ text: '2m', seconds: 120 })).toBe(23_400_000)
  })

  test.each(['', '2', '0m', '-1m', '2 m', '2d', 'm'])('%j is none', (text) => {
    expect(readBudget(text)).toBeNull()
  })

  test('from five minutes on it suffices for finer steps', () => {
    expect(hasFineSteps({ text: '4m', seconds: 240 })).toBe(false)
    expect(hasFineSteps({ text: '5m', seconds: 300 })).toBe(true)
  })

  test("a run with more than twenty times today's events is stopped", () => {
    expect(stopAfter([900, 1000])).toBe(20_000)
  })
})

// S-236
test('the file that reproduces a run has its seed, its weeks, and what was assumed', () => {
  const days = Array.from({ length: 60 }, (_, index) => index)
  const history = scenarioOf({
    pullRequests: days.map((day) => ({ number: day + 1, at: 1440 * day, testMinutes: 10 })),
    expect: { merged: 60 },
  })
  const change = { name: 'run length', from: 10, to: 20 } as const
  const scenarioWith = (seed: number): Scenario => {
    const scenario: Scenario = JSON.parse(reproducing({ scenario: history, change }, seed))
    return scenario
  }
  const written = scenarioWith(3)
  expect(written).toMatchObject({ seed: 3, suite: { minutes: 20 } })
  expect(written).not.toHaveProperty('expect')
  const order = JSON.stringify(written.pullRequests)
  const other = scenarioWith(4)
  expect(JSON.stringify(other.pullRequests)).not.toBe(order)
})
