import { describe, expect, test } from 'vitest'
import type { BadInput } from '../../server/terminal/bad-input.ts'
import { badUsage } from '../../server/terminal/options.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { measuredRun } from '../../sim/judge/measurement.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { valueOf } from '../../sim/worst/worst-worker.ts'
import { FakeRunner, figuresWith, trialWith } from './testing/trials.ts'
import { meanScore, scoreOf, preferencesOf } from './figures.ts'
import { type Trial, eventsIn, hasFineSteps, readBudget } from './runner.ts'
import { finalistsOf, searched } from './search.ts'
import { laddersOf, knownAxis } from './axes.ts'
import { ownCandidates } from './candidates.ts'
import { reproducing, tuneWorker } from './tune-worker.ts'
import { policiesOf } from './tune.ts'

// S-71
describe('a search', () => {
  const scenario = scenarioOf({ queue: { concurrency: 1 } })
  const ladders = laddersOf(scenario, false)
  const made = ownCandidates(scenario, ladders.steps)

  const search = async (runner: FakeRunner, seconds = 120) =>
    searched(runner, {
      budget: { text: '', seconds },
      firstSeed: 1,
      preferences: ['balance', 'time'],
      space: { ...ladders, made },
      isAllowed: () => true,
      hasFinal: true,
    })

  test('runs the whole grid on the same seeds, then steps beside the best while one is better', async () => {
    const runner = new FakeRunner(({ labels }) =>
      labels['batch'] === '8' ? (labels['wait'] === '10' ? 20 : 40) : 100,
    )
    const { finalists, tried, seeds } = await search(runner)
    const [probe, grid, first, second, third] = runner.asked
    expect(probe).toEqual({ names: ["today's setting"], seeds: 2 })
    // Five batches, two numbers of slots, with and without optimistic merging; and today's.
    expect(grid?.names).toHaveLength(21)
    expect(first?.names.some((name) => name.includes('wait 10 min'))).toBe(true)
    expect(second?.names.every((name) => name.includes('wait'))).toBe(true)
    expect(third).toBeUndefined()
    expect(new Set([grid, first, second].map((each) => each?.seeds))).toEqual(new Set([seeds]))
    expect(finalists).toHaveLength(6)
    expect(finalists[0]?.name).toContain('wait 10 min')
    expect(tried[0]?.candidate).toBe(made.today)
  })

  test('given a small budget, fewer seeds, and fewer settings if two seeds are too many', async () => {
    const runner = new FakeRunner(() => 100)
    expect((await search(runner, 0.5)).seeds).toBe(2)
    expect(runner.asked[1]?.names).toHaveLength(21)
    const poor = new FakeRunner(() => 100)
    await search(poor, 0.05)
    expect(poor.asked[1]?.names).toHaveLength(7)
  })

  test('given a budget below the work of one simulation, asks for more at once', async () => {
    const runner = new FakeRunner(() => 100)
    await expect(search(runner, 0.004)).rejects.toThrow(
      "expected 1s or more, the work of one simulation of today's setting, got --budget",
    )
    expect(runner.asked).toHaveLength(1)
  })

  test('the best under each preference come first, then the best under the preferred one', () => {
    const fast = trialWith({ p95: 10, ciMinutes: 200 }, { set: { 'queue.concurrency': 4 } })
    const cheap = trialWith({ p95: 500, ciMinutes: 1 }, { set: { 'queue.concurrency': 3 } })
    const both = trialWith({ p95: 20, ciMinutes: 5 }, { set: { 'queue.concurrency': 2 } })
    const all = [fast, cheap, both]
    expect(finalistsOf(all, ['balance', 'time', 'cost'])).toEqual(
      [both, fast, cheap].map(({ candidate }) => candidate),
    )
    expect(finalistsOf([...all, ...all], ['cost'])).toHaveLength(3)
  })
})

describe('the score of a run', () => {
  const run = figuresWith({ p95: 100, ciMinutes: 25, price: 4, unproven: 7 })

  test('is the logarithm of what is preferred; half the wait is worth twice the cost', () => {
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

  test('the preferred one comes first, and price only if there is one', () => {
    expect(preferencesOf('cost', false)).toEqual(['cost', 'balance', 'time', 'safety'])
    expect(preferencesOf('price', true)).toEqual(['price', 'balance', 'time', 'cost', 'safety'])
  })
})

describe('the budget', () => {
  // S-390
  test('counts an event oftener the more bisections are open, alike in every command', () => {
    const scenario: Scenario = {
      name: 'each run flakes, and everybody comes again',
      queue: { batch: true, batchingMinSize: 4, concurrency: 3, policy: 'documented' },
      suite: { minutes: 10 },
      traffic: { count: 200, arrivals: { everyMinutes: 10 } },
      suiteFlakes: { perRun: 1 },
      resubmit: { afterMinutes: 15 },
    }
    const { work } = measuredRun(scenario)
    expect(work).toBeGreaterThan(1.3 * simulate(scenario).events)
    const task = { scenario, other: null, change: null, isFair: false, seed: 1 }
    expect([tuneWorker(task).events, valueOf(scenario, 'healthyEvicted').work]).toEqual([
      work,
      work,
    ])
  })

  const fault = (expected: string): BadInput => badUsage('tune', 'this', expected)

  test('is the work of two cores in a time', () => {
    expect(readBudget('90s', fault)).toEqual({ text: '90s', seconds: 90 })
    expect(readBudget('1.5m', fault)).toEqual({ text: '1.5m', seconds: 90 })
    expect(readBudget('1h', fault)).toEqual({ text: '1h', seconds: 3600 })
    expect(eventsIn({ text: '2m', seconds: 120 })).toBe(36_000_000)
    expect(eventsIn({ text: '2m', seconds: 120 }, 0.1)).toBe(3_600_000)
  })

  test.each(['', '2', '0m', '-1m', '2 m', '2d', 'm'])('%j is none', (text) => {
    expect(() => readBudget(text, fault)).toThrow('90s, 2m or 1h')
  })

  test('from five minutes on it suffices for finer steps', () => {
    expect(hasFineSteps({ text: '4m', seconds: 240 })).toBe(false)
    expect(hasFineSteps({ text: '5m', seconds: 300 })).toBe(true)
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
    const scenario: Scenario = JSON.parse(
      reproducing({ scenario: history, change, isFair: false }, seed),
    )
    return scenario
  }
  const written = scenarioWith(3)
  expect(written).toMatchObject({ seed: 3, suite: { minutes: 20 } })
  expect(written).not.toHaveProperty('expect')
  const order = JSON.stringify(written.pullRequests)
  const other = scenarioWith(4)
  expect(JSON.stringify(other.pullRequests)).not.toBe(order)
})

const axes = [knownAxis('policy', 'documented,adaptive'), knownAxis('batch', '2,4,8,16,32,64,128')]
const made = ownCandidates(scenarioOf({ queue: { concurrency: 10 } }), axes)

const trial = (policy: 'documented' | 'adaptive', batch: number, p95: number): Trial => ({
  ...trialWith({ p95 }),
  candidate: made.with({
    'queue.policy': policy,
    'queue.batch': true,
    'queue.batchingMinSize': batch,
  }),
})

const contest = { preference: 'balance', least: 0.05 } as const

describe('the best fixed setting against the adaptive policy at its best', () => {
  test.each([
    { fixed: 60, better: 'fixed' },
    { fixed: 101, better: null },
    { fixed: 140, better: 'adaptive' },
  ] as const)('a p95 of 100 with adaptive and $fixed: $better', ({ fixed, better }) => {
    const trials = [
      trial('documented', 2, fixed + 30),
      trial('documented', 4, fixed),
      trial('adaptive', 8, 100),
      trial('adaptive', 16, 150),
    ]
    expect(policiesOf(trials, contest)).toMatchObject({
      adaptive: trials[2]?.candidate.name,
      fixed: trials[1]?.candidate.name,
      better,
      fixedAgainstAdaptive: { p95: { measure: 'ratio' } },
    })
  })

  test('given settings of one policy only, there is nothing to compare', () => {
    expect(policiesOf([trial('adaptive', 8, 100), trial('adaptive', 4, 90)], contest)).toBeNull()
  })

  test('the best of each policy reaches the final, also behind seven of the other one', () => {
    const many = [2, 4, 8, 16, 32, 64, 128].map((batch) => trial('documented', batch, 50 + batch))
    const adaptive = trial('adaptive', 8, 500)
    const finalists = finalistsOf([...many, adaptive], ['balance'])
    expect(finalists).toHaveLength(6)
    expect(finalists).toContain(adaptive.candidate)
  })
})
