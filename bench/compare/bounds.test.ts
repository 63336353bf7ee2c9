import { expect, test, describe } from 'vitest'
import { resampleWeeks } from '../../sim/world/history.ts'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { allLengthModels, withLengths } from '../queues/fair-scenario.ts'
import { strategies } from '../queues/index.ts'
import { lengthLawOf } from '../../sim/theory/length-law.ts'
import {
  boundsOf,
  bitsPerPullRequest,
  bitsPerRun,
  entropy,
  fewestMinutesPerRun,
  leastTime,
  meanBounds,
} from './bounds.ts'

const startup = scenarioOf({
  queue: { concurrency: 10 },
  suite: { minutes: { median: 15, p95: 40 } },
  traffic: { count: 200, arrivals: { perHour: 15 }, breakRate: 0.06 },
  suiteFlakes: { perRun: 0.03 },
})

test('no queue beats the bound of the weeks that a seed draws of a history', () => {
  // One week is busy, and breaks much. This seed does not draw it.
  const seed = 5
  const weeks = Array.from({ length: 9 }, (_, week) => (week === 4 ? 40 : 4))
  const pullRequests = weeks.flatMap((busy, week) =>
    Array.from({ length: busy }, (_, index) => ({
      number: 100 * (week + 1) + index,
      at: 10_080 * week + (10_080 * index) / busy,
      ...(busy > 4 && index > 2 ? { breaks: true } : {}),
    })),
  )
  const scenario = scenarioOf({ pullRequests, suite: { minutes: 10 } })
  const { pullRequests: drawn = [] } = resampleWeeks(scenario, seed)
  const oneAtATime = drawn.length / drawn.filter(({ breaks }) => breaks !== true).length
  expect(meanBounds(scenario, [seed]).runsPerMerge).toBeLessThanOrEqual(oneAtATime)
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
  expect(sticky.runsPerMerge).toBeLessThan(boundsOf(startup).runsPerMerge ?? 0)
})

test.each([
  ['pull request breaks', { traffic: { ...startup.traffic, breakRate: 1 } }],
  ['run flakes', { suiteFlakes: { perRun: 1 } }],
])('where every %s, nothing can land, and there is no bound', (_, change) => {
  const none = { runsPerMerge: null, landP50: null, minutesPerMerge: null }
  expect(boundsOf({ ...startup, ...change })).toMatchObject(none)
})

const failFast = scenarioOf({
  ...startup,
  suite: { ...startup.suite, minutesFailing: 0.1 },
  traffic: { ...startup.traffic, breakRate: 0.5 },
})

test.each([
  ['as they are', startup],
  ['where half of them break, in a tenth of the time', failFast],
])('no strategy and no reference is below a bound, for any model of length, %s', (_, whole) => {
  for (const model of allLengthModels) {
    const scenario = withLengths(whole, model)
    const { landP50, runsPerMerge, minutesPerMerge } = boundsOf(scenario)
    for (const { name, simulate } of strategies) {
      const found = simulate(scenario)
      const at = `${name}, ${model}`
      expect(found.timeToLandMinutes.p50, at).toBeGreaterThanOrEqual((landP50 ?? 0) * 0.9)
      expect(found.runsPerMerge, at).toBeGreaterThan((runsPerMerge ?? 0) * 0.9)
      expect(found.minutesPerMerge, at).toBeGreaterThan((minutesPerMerge ?? 0) * 0.9)
    }
  }
})

const lognormal = lengthLawOf({ median: 15, p95: 40 })

describe('the bits', () => {
  test('of a fair coin are one, of a certain event none', () => {
    expect([entropy(0.5), entropy(0), entropy(1)]).toEqual([1, 0, 0])
  })

  test('that a run tells are one without flakes, and fewer with them', () => {
    expect(bitsPerRun(0)).toBe(1)
    expect(bitsPerRun(1)).toBe(0)
    // The capacity of the Z-channel with one half.
    expect(bitsPerRun(0.5)).toBeCloseTo(Math.log2(5 / 4), 12)
  })

  test('that a run tells are the most over all shares of bad compositions', () => {
    const flakeRate = 0.2
    const told = (bad: number): number =>
      entropy((1 - bad) * (1 - flakeRate)) - (1 - bad) * entropy(flakeRate)
    const most = Math.max(...Array.from({ length: 9999 }, (_, index) => told((index + 1) / 10_000)))
    expect(bitsPerRun(flakeRate)).toBeCloseTo(most, 7)
  })

  test('of a pull request are fewer if healthy ones may be evicted, none if all may', () => {
    expect(bitsPerPullRequest(0.06)).toBeCloseTo(entropy(0.06), 12)
    expect(bitsPerPullRequest(0.06, 0.01)).toBeLessThan(bitsPerPullRequest(0.06))
    expect(bitsPerPullRequest(0.06, 1)).toBeCloseTo(0, 12)
  })
})

describe('the laws of lengths', () => {
  test.each([12, { uniform: [5, 15] }, { exponential: 10 }, { median: 15, p95: 40 }] as const)(
    '%j: the mean is the area below the survival, up to the longest',
    (length) => {
      const { survival, mean, longest } = lengthLawOf(length)
      const width = longest / 100_000
      const area = Array.from({ length: 100_000 }, (_, index) => survival((index + 0.5) * width))
      expect(area.reduce((sum, each) => sum + each * width, 0)).toBeCloseTo(mean, 2)
    },
  )

  test('a lognormal has its median and its 95th percentile', () => {
    expect(lognormal.survival(15)).toBeCloseTo(0.5, 6)
    expect(lognormal.survival(40)).toBeCloseTo(0.05, 6)
  })
})

describe('the least time to land', () => {
  test('of exponential runs is that of the first of all slots', () => {
    const law = lengthLawOf({ exponential: 10 })
    const found = leastTime({ law, slots: 4, flakeRate: 0.2, share: 0.95 })
    expect(found).toBeCloseTo((10 * Math.log(20)) / (4 * 0.8), 6)
  })

  test('of runs of one length is that length, with any number of slots', () => {
    const law = lengthLawOf(12)
    expect(leastTime({ law, slots: 100, flakeRate: 0, share: 0.5 })).toBe(12)
  })

  test('falls with the slots, and is below the longest run', () => {
    const times = [1, 10, 20].map((slots) =>
      leastTime({ law: lengthLawOf({ uniform: [5, 15] }), slots, flakeRate: 0, share: 0.95 }),
    )
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    for (const each of times) expect(each > 5 && each < 15).toBe(true)
  })
})

test('the fewest minutes of a run that tells its result are the mean for exponential runs and for runs of one length', () => {
  expect(fewestMinutesPerRun(lengthLawOf({ exponential: 10 }))).toBeCloseTo(10, 2)
  expect(fewestMinutesPerRun(lengthLawOf(12))).toBeCloseTo(12, 6)
})
