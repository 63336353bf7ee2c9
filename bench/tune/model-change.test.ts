import { describe, expect, test } from 'vitest'
import { drawsOf } from '../../sim/random/draw.ts'
import type { PullRequestEntry, Scenario } from '../../sim/scenario/scenario.ts'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { arrivalsOf } from '../../sim/world/traffic.ts'
import { assumptionsIn, assumptionsOf } from './assumptions.ts'
import { changedModel, type AssumptionName } from './model-change.ts'

const numbers = Array.from({ length: 200 }, (_, index) => index + 1)

/** A history in which every tenth pull request breaks and every twentieth flaked. */
const history = scenarioOf({
  assumed: [{ what: 'concurrency', value: '5 runs at a time', replace: '--set' }],
  queue: { concurrency: 5 },
  pullRequests: numbers.map((number) => ({
    number,
    at: 30 * (number - 1),
    testMinutes: 10,
    ...(number % 10 === 0 ? { breaks: true } : {}),
    ...(number % 20 === 5 ? { flakyRuns: [1] } : {}),
  })),
})

const seed = 7

function changed(scenario: Scenario, name: AssumptionName, to: number): Scenario {
  const from = assumptionsIn(scenario).find((each) => each.name === name)?.today ?? NaN
  return changedModel(scenario, { name, from, to }, seed)
}

const those = (
  { pullRequests = [] }: Scenario,
  is: (entry: PullRequestEntry) => boolean | undefined,
): number[] => pullRequests.filter(is).map(({ number }) => number)

const breaking = (to: number): number[] =>
  those(changed(history, 'breaks', to), ({ breaks }) => breaks)

// S-233
describe('another share of listed pull requests that break', () => {
  test("at today's share exactly those break that are listed", () => {
    expect(breaking(10)).toEqual(numbers.filter((number) => number % 10 === 0))
  })

  test('who breaks at a share breaks at any higher one', () => {
    const shares = [0, 2.5, 5, 10, 20, 30].map(breaking)
    for (const [index, some] of shares.entries()) {
      expect(shares[index + 1] ?? numbers).toEqual(expect.arrayContaining(some))
    }
    expect(shares[0]).toEqual([])
    expect(shares[2]?.length).toBeLessThan(20)
    expect(shares[5]?.length).toBeGreaterThan(40)
    expect(shares[5]?.length).toBeLessThan(80)
  })

  test('another seed draws others', () => {
    const other = changedModel(history, { name: 'breaks', from: 10, to: 20 }, seed + 1)
    expect(those(other, ({ breaks }) => breaks)).not.toEqual(breaking(20))
  })

  test('the same holds for those that flaked once', () => {
    const flaky = (to: number): number[] =>
      those(changed(history, 'flaky pull requests', to), ({ flakyRuns }) => flakyRuns !== undefined)
    expect(flaky(5)).toEqual(numbers.filter((number) => number % 20 === 5))
    expect(flaky(20)).toEqual(expect.arrayContaining(flaky(5)))
    expect(flaky(20).length).toBeGreaterThan(20)
  })
})

// S-233
describe('another figure of a history', () => {
  test('a run length scales the listed lengths, and those of the suite', () => {
    const { pullRequests, suite } = changed(history, 'run length', 25)
    expect(pullRequests?.[0]?.testMinutes).toBe(25)
    expect(suite?.minutes).toBe(25)
  })

  test('a rate of arrivals squeezes the times and the days', () => {
    const { today = 1 } = assumptionsIn(history).find(({ name }) => name === 'arrivals') ?? {}
    const { pullRequests, dayMinutes } = changed(history, 'arrivals', 2 * today)
    expect(pullRequests?.slice(0, 3).map(({ at }) => at)).toEqual([0, 15, 30])
    expect(dayMinutes).toBe(720)
  })

  test('flakes of which nothing is known hit any run', () => {
    const plain = scenarioOf({ pullRequests: [{ number: 1 }, { number: 2, at: 60 }] })
    expect(changed(plain, 'flakes', 3).suiteFlakes).toEqual({ perRun: 0.03 })
  })

  test('clashes of which nothing is known hit any pair; known ones keep their share across targets', () => {
    const traffic = { count: 0, clashRate: { rate: 0.01, across: 0.005 } }
    expect(changed(history, 'clashes', 2).traffic).toEqual({
      count: 0,
      clashRate: { rate: 0.02, across: 0 },
    })
    expect(changed({ ...history, traffic }, 'clashes', 2).traffic).toEqual({
      count: 0,
      clashRate: { rate: 0.02, across: 0.01 },
    })
  })
})

// S-233
describe('the draws of generated traffic', () => {
  const traffic = { count: 100, arrivals: { perHour: 10 }, breakRate: 0.1 }
  const generated = scenarioOf({ traffic })
  const arrivals = (scenario: Scenario) => [...arrivalsOf(scenario, drawsOf(seed))]

  test('who breaks at a rate breaks at any higher one', () => {
    const breaksAt = (rate: number): number[] =>
      arrivals(changed(generated, 'breaks', rate)).flatMap(({ entry }) =>
        entry.breaks ? [entry.number] : [],
      )
    expect(breaksAt(20)).toEqual(expect.arrayContaining(breaksAt(5)))
    expect(breaksAt(20).length).toBeGreaterThan(breaksAt(5).length)
  })

  test('twice as many arrivals an hour come after half the time each', () => {
    const times = (perHour: number): number[] =>
      arrivals(changed(generated, 'arrivals', perHour)).map(({ at }) => at)
    const [usual, fast] = [times(10), times(20)]
    expect((fast.at(-1) ?? NaN) / (usual.at(-1) ?? NaN)).toBeCloseTo(0.5, 4)
  })
})

// S-232
describe('the assumptions of a scenario', () => {
  test('say how a length is drawn, and who conflicts where several queues get the same', () => {
    const traffic = { count: 9, conflictRate: 0.1 }
    const said = (per: 'run' | 'composition', isFair: boolean) =>
      assumptionsOf(scenarioOf({ traffic, suite: { minutes: 5, per } }), isFair).join(' ')
    expect(said('run', false)).toMatch(
      /once per run; a batch .* two that are open at the same time/,
    )
    expect(said('composition', true)).toMatch(/ slowest one in it, .* two that come within 60 min/)
  })

  test('each has a ladder from a quarter to four times, rates to 30 %, and zero', () => {
    const scenario = scenarioOf({
      suite: { minutes: 20 },
      traffic: { arrivals: { perHour: 8 }, breakRate: 0.1 },
      suiteFlakes: { perRun: 0.02 },
    })
    const ladders = assumptionsIn(scenario).map(({ name, values }) => [name, values])
    expect(ladders).toEqual([
      ['flakes', [0, 0.5, 1, 2, 4, 8]],
      ['breaks', [0, 2.5, 5, 10, 20, 30]],
      ['clashes', [0, 0.1, 0.5, 2]],
      ['run length', [5, 10, 20, 40, 80]],
      ['arrivals', [2, 4, 8, 16, 32]],
    ])
  })

  test('a rate that is zero has a ladder of its own', () => {
    const [flakes] = assumptionsIn(scenarioOf({ traffic: { count: 10 } }))
    expect(flakes).toMatchObject({ name: 'flakes', today: 0, values: [0, 1, 3, 10, 30] })
  })

  test('a history has its concurrency besides, and says what it made up', () => {
    const found = assumptionsIn(history).map(({ name, today, isMadeUp }) => [name, today, isMadeUp])
    expect(found).toEqual([
      ['concurrency', 5, true],
      ['flaky pull requests', 5, false],
      ['breaks', 10, false],
      ['clashes', 0, false],
      ['run length', 10, false],
      ['arrivals', 2.01005, false],
    ])
  })

  test('named tests that flake count together, and bursts by the hour', () => {
    const tests = [
      { name: 'a', rate: 0.02 },
      { name: 'b', rate: 0.04, retryPassRate: 0.5 },
    ]
    const arrivals = { bursts: { size: 5, everyMinutes: 60 } }
    const scenario = scenarioOf({ suiteFlakes: { tests }, traffic: { arrivals } })
    const found = assumptionsIn(scenario).map(({ name, today, unit }) => [name, today, unit])
    expect(found).toContainEqual(['flaky tests', 4, '% of runs'])
    expect(found).toContainEqual(['arrivals', 5, 'an hour'])
    const { suiteFlakes } = changed(scenario, 'flaky tests', 8)
    expect(suiteFlakes?.tests?.map(({ rate }) => rate)).toEqual([0.04, 0.08])
  })
})
