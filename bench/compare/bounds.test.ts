import { expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { allLengthModels, withLengths } from '../queues/fair-scenario.ts'
import { boundsOf } from './bounds.ts'
import { strategies } from '../queues/index.ts'

const startup = scenarioOf({
  queue: { concurrency: 10 },
  suite: { minutes: { median: 15, p95: 40 } },
  traffic: { count: 200, arrivals: { perHour: 15 }, breakRate: 0.06 },
  suiteFlakes: { perRun: 0.03 },
})

test('a start-up: p95 10.3 min and 6.9 CI minutes per merge, fewer if some may be evicted', () => {
  const { landP50, landP95, minutesPerMerge, minutesIfEvicting } = boundsOf(startup)
  expect(landP50).toBeCloseTo(6.2, 1)
  expect(landP95).toBeCloseTo(10.3, 1)
  expect(minutesPerMerge).toBeCloseTo(6.9, 1)
  expect(minutesIfEvicting?.minutes).toBeLessThan(6.9)
})

test('runs of one length: nothing lands faster; of compositions: nothing before its own tests', () => {
  expect(boundsOf(withLengths(startup, 'constant')).landP50).toBeCloseTo(17.9, 1)
  const { landP50, landP95 } = boundsOf(withLengths(startup, 'composition'))
  expect([landP50, landP95].map((each) => Math.round(each ?? 0))).toEqual([15, 40])
})

test('where only what is tested counts, the times have no bound', () => {
  const own = { ...startup, suite: { minutes: { uniform: [5, 15] }, per: 'pullRequest' } } as const
  expect(boundsOf(own)).toMatchObject({ landP95: null, minutesPerMerge: null })
})

test('flakes of named tests count, and those that pass when repeated do not', () => {
  const tests = [
    { name: 'a', rate: 0.1 },
    { name: 'b', rate: 0.5, retryPassRate: 1 },
  ]
  const { flakeRate } = boundsOf({ ...startup, suiteFlakes: { perRun: 0.25, tests } })
  expect(flakeRate).toBeCloseTo(1 - 0.75 * 0.9, 12)
})

test('sticky failures take fewer bits than independent ones', () => {
  const breakRate = { rate: 0.06, sticky: 0.5 }
  const sticky = boundsOf({ ...startup, traffic: { ...startup.traffic, breakRate } })
  expect(sticky.runsPerMerge).toBeLessThan(boundsOf(startup).runsPerMerge)
})

test('no strategy and no reference is below a bound, for any model of length', () => {
  for (const model of allLengthModels) {
    const scenario = withLengths(startup, model)
    const { landP50, runsPerMerge, minutesPerMerge } = boundsOf(scenario)
    for (const { name, simulate } of strategies) {
      const found = simulate(scenario)
      const at = `${name}, ${model}`
      expect(found.timeToLandMinutes.p50, at).toBeGreaterThanOrEqual((landP50 ?? 0) * 0.9)
      expect(found.runsPerMerge, at).toBeGreaterThan(runsPerMerge * 0.9)
      expect(found.minutesPerMerge, at).toBeGreaterThan((minutesPerMerge ?? 0) * 0.9)
    }
  }
})
