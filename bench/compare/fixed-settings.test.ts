import { expect, test } from 'vitest'
import { figuresOfPolicy } from '../queues/figures.ts'
import type { StrategyRuns } from './comparison.ts'
import { betterFixed, fixedRows } from './judge-place.ts'

const minute = 60_000

/** Eight seeds that differ a little; ten pull requests land in each. */
function runsOf(strategy: string, p95: number, ci: number, evicted: number): StrategyRuns {
  const runs = Array.from({ length: 8 }, (_, seed) => {
    const times = Array.from({ length: 10 }, () => (p95 + (seed % 3) / 10) * minute)
    return figuresOfPolicy({
      ...{ timesInQueue: times, timesToLand: times, failed: 0, testRuns: 10 },
      ...{ testMs: 10 * (ci + (seed % 2) / 10) * minute, healthyEvicted: evicted },
      ...{ clashed: 0, heldBack: 0, badMerged: 0, brokenMainMs: 0, peakRuns: 1 },
    })
  })
  return { ...{ strategy, setting: null, isReference: false }, runs }
}

test('names what is faster by more than 5 %, unless it pays in CI minutes or evicts more', () => {
  const found = betterFixed(runsOf('own', 100, 20, 1), [
    runsOf('faster', 80, 20, 1),
    runsOf('a little faster', 97, 20, 1),
    runsOf('faster and a little dearer', 80, 20.5, 1),
    runsOf('faster and dearer', 80, 22, 1),
    runsOf('faster and evicts more', 80, 20, 2),
    runsOf('slower', 120, 10, 0),
  ])
  expect(found.map(({ setting }) => setting)).toEqual(['faster', 'faster and a little dearer'])
  expect(found[0]?.p95).toMatchObject({ measure: 'ratio', size: { kind: 'interval', seeds: 8 } })
})

test('every size of batch comes with and without optimistic merging and a hold', () => {
  const rows = fixedRows({ name: 'town', queue: { concurrency: 10 } })
  const settings = rows.map(({ strategy }) => strategy)
  expect(settings).toHaveLength(20)
  expect(new Set(settings).size).toBe(20)
  expect(settings).toEqual(
    expect.arrayContaining(['no batches, hold 0', 'batches of 16, optimistic, hold 2']),
  )
})
