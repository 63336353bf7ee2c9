import { describe, expect, test } from 'vitest'
import { simulated, pullRequests, scenarioOf } from '../testing/simulated.ts'
import { intervalOf } from '../statistics/interval.ts'
import { runScenario } from '../judge/run-scenario.ts'
import { distributionOf } from './result-document.ts'
import { priceOf, runPriceOf } from './price.ts'
import { everyFigureTable } from '../campaign/document.ts'
import { Columns } from './aggregate.ts'
import { resultDocument, resultTexts } from './write-result.ts'

describe('a pull request that is submitted again', () => {
  const result = simulated({
    pullRequests: pullRequests(1),
    events: [
      { at: 4, do: 'cancel', number: 1 },
      { at: 60, do: 'submit', number: 1 },
    ],
  })

  test('has the times of its last submission, and counts the runs of all submissions', () => {
    expect(result.pullRequests).toEqual([
      {
        number: 1,
        state: 'MERGED',
        reason: 'MERGE_GRAPH_MERGE',
        submittedAt: 60,
        startedAt: 60,
        concludedAt: 70,
        testRuns: 2,
        restarts: 0,
      },
    ])
  })

  // S-241
  test('takes its time to land from its first submission', () => {
    expect(result.timeToLandMinutes).toMatchObject({ mean: 70, p50: 70, p95: 70, max: 70 })
    expect(result.totals).toMatchObject({ cameAgain: 1, waitedHours: 1.166667 })
  })

  // S-393
  test('counts as waiting if what it depends on had left when it came', () => {
    const { totals } = simulated({
      pullRequests: pullRequests({ breaks: true }, { at: 60, dependsOn: [1] }),
    })
    expect(totals).toMatchObject({ merged: 0, failed: 1, cancelled: 0, waiting: 1 })
    expect(result.totals).not.toHaveProperty('waiting')
  })

  test('counts once, with its last outcome; its wait counts for each submission', () => {
    expect(result.totals).toMatchObject({ merged: 1, failed: 0, cancelled: 0, testRuns: 2 })
    expect(result.timeInQueueMinutes).toMatchObject({ mean: 10, max: 10 })
    expect(result.waitMinutes).toMatchObject({ mean: 0, max: 0 })
  })

  // S-241
  test('begins anew after its merge, so each merge counts', () => {
    const { totals, runsPerMerge, mergeOrder, price } = simulated({
      pullRequests: pullRequests(1),
      events: [
        { at: 60, do: 'submit', number: 1 },
        { at: 120, do: 'submit', number: 1 },
        { at: 124, do: 'cancel', number: 1 },
      ],
      prices: { ciMinute: 1 },
    })
    expect(mergeOrder).toEqual([1, 1])
    expect(totals).toMatchObject({ merged: 2, cancelled: 1, cameAgain: 0, testRuns: 3 })
    expect(runsPerMerge).toBe(1.5)
    expect(price).toMatchObject({ total: 24, perLanded: 12 })
  })
})

describe('totals', () => {
  test('count runs, restarts and slots', () => {
    const { totals } = simulated({
      queue: { concurrency: 3, batch: false },
      pullRequests: [{ number: 1, breaks: true }, { number: 2 }, { number: 3 }],
    })
    expect(totals).toMatchObject({
      merged: 2,
      failed: 1,
      testRuns: 5,
      cancelledRuns: 2,
      restarts: 2,
      peakMainRuns: 3,
      peakBisectionRuns: 0,
      peakRuns: 3,
      // Three concurrent runs of ten minutes; two of them were useless and are repeated.
      testMinutes: 50,
    })
  })

  test('count bisection runs and runs saved by the cache', () => {
    const { totals } = simulated({
      queue: { concurrency: 1, batch: true, batchingMinSize: 4 },
      pullRequests: [{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4, breaks: true }],
    })
    expect(totals.bisectionRuns).toBe(totals.testRuns - 1)
    expect(totals.runsSaved).toBeGreaterThan(0)
    expect(totals).toMatchObject({ peakMainRuns: 1, peakBisectionRuns: 1, peakRuns: 1 })
  })
})

describe('figures that need the truth about pull requests', () => {
  test('a pull request that breaks with another one in the queue, or conflicts with it, is not counted', () => {
    const { totals } = simulated({
      queue: { concurrency: 1 },
      pullRequests: pullRequests({}, { breaksWith: [1] }, { conflictsWith: [1] }),
    })
    expect(totals).toMatchObject({ failed: 2, healthyEvicted: 0 })
  })

  // S-57
  test('a pull request that another one overtook, which breaks together with it, is counted', () => {
    // 1 is healthy by itself, flakes, and would have merged before 2.
    const { totals } = simulated({
      queue: { concurrency: 1 },
      pullRequests: pullRequests({ flakyRuns: [1] }, { breaksWith: [1] }),
    })
    expect(totals).toMatchObject({ merged: 1, failed: 1, healthyEvicted: 1 })
  })

  test('a branch that is never fixed counts as broken until the end', () => {
    const { totals } = simulated({
      pullRequests: pullRequests({ breaks: true }, { at: 5 }),
      events: [{ at: 2, do: 'manualMerge', number: 1 }],
    })
    expect(totals).toMatchObject({ brokenMainMinutes: 13, merged: 1, failed: 1, healthyEvicted: 1 })
  })

  test('the lower bound on test runs is n * H2(p)', () => {
    const { theory } = simulated({ pullRequests: [{ number: 1, breaks: true }, { number: 2 }] })
    expect(theory.runsLowerBound).toBe(2)
    const few = simulated({
      traffic: { count: 16, breakRate: 0 },
      pullRequests: [{ number: 1, breaks: true }],
    })
    expect(few.theory.runsLowerBound).toBeCloseTo(5.487, 3)
    expect(simulated({ pullRequests: [{ number: 1, breaks: true }] }).theory.runsLowerBound).toBe(0)
  })
})

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

const costs = { testMinutes: 300, waitedHours: 10 }

// S-244
test('the price is CI minutes and waiting hours, in one total', () => {
  const prices = { ciMinute: 0.1, waitingHour: 3 }
  expect(priceOf(costs, prices)).toEqual({ ci: 30, waiting: 30, total: 60 })
  expect(runPriceOf(costs, 8, prices)).toEqual({ ci: 30, waiting: 30, total: 60, perLanded: 7.5 })
})

test('given one price, the other counts as nothing; given none, there is no price', () => {
  expect(priceOf(costs, { ciMinute: 0.1 })).toEqual({ ci: 30, waiting: 0, total: 30 })
  expect(priceOf(costs, { waitingHour: 0 })).toEqual({ ci: 0, waiting: 0, total: 0 })
  expect(priceOf(costs, {})).toBeNull()
})

test('given no landing, there is a total and no price for each', () => {
  expect(runPriceOf(costs, 0, { ciMinute: 1 })).toMatchObject({ total: 300, perLanded: null })
})

const aggregateOf = (values: readonly number[]) => {
  const columns = new Columns()
  for (const value of values) columns.add({ minutes: value })
  return columns.aggregates()['minutes']
}

describe('the aggregate of a figure over runs', () => {
  // S-60, S-221
  test('given fewer than ten runs, has their range and no interval', () => {
    expect(aggregateOf([3])).toEqual({ mean: 3, ci95: null, min: 3, max: 3 })
    const nine = [98, 214, 120, 150, 133, 141, 90, 300, 104]
    expect(aggregateOf(nine)).toEqual({ mean: 150, ci95: null, min: 90, max: 300 })
  })

  // S-60, S-221
  test('given the same value in all runs, has no interval', () => {
    const same = Array.from({ length: 20 }, () => 7)
    expect(aggregateOf(same)).toEqual({ mean: 7, ci95: null, min: 7, max: 7 })
  })

  test('given that some runs lack it, says how many have it', () => {
    const columns = new Columns()
    for (const run of [{ merged: 1, minutes: 10 }, { merged: 0 }]) columns.add(run)
    const aggregate = columns.aggregates()
    expect(aggregate).toEqual({
      merged: { mean: 0.5, ci95: null, min: 0, max: 1 },
      minutes: { mean: 10, ci95: null, min: 10, max: 10, runs: 1 },
    })
    const names = everyFigureTable({ aggregate }).rows.map(([name]) => name)
    expect(names).toEqual(['merged', 'minutes, in 1 run'])
  })

  // S-60, S-222
  test('from ten runs on, has the interval that every other mean over seeds has', () => {
    const ten = [98, 104, 110, 112, 115, 121, 130, 141, 160, 349]
    const interval = intervalOf(ten)
    expect(interval).toMatchObject({ kind: 'interval' })
    const { mean, low, high } = { low: 0, high: 0, mean: 0, ...interval }
    expect(aggregateOf(ten)).toEqual({ mean, ci95: [low, high], min: 98, max: 349 })
  })
})

/** The complete document of a small run, except for its hash. */
const smallResult = `{
"scenario": "sketch",
"seed": 3,
"traceHash": "HASH",
"endedAtMinutes": 20,
"mergeOrder": [
1, 2
],
"pullRequests": [
{"number":1,"state":"MERGED","reason":"MERGE_GRAPH_MERGE","submittedAt":0,"startedAt":0,"concludedAt":10,"testRuns":1,"restarts":0},
{"number":2,"state":"MERGED","reason":"MERGE_GRAPH_MERGE","submittedAt":0,"startedAt":0,"concludedAt":10,"testRuns":1,"restarts":0},
{"number":3,"state":"FAILED","reason":"TEST_RUN_REQUIRED_STATUS_FAILED","submittedAt":1,"startedAt":10,"concludedAt":20,"testRuns":1,"restarts":0}
],
"testRuns": [
{"id":1,"kind":"main","base":[],"tested":[1,2],"startedAt":0,"finishedAt":10,"outcome":"passed","flaked":false},
{"id":2,"kind":"main","base":[],"tested":[3],"startedAt":10,"finishedAt":20,"outcome":"failed","flaked":false}
],
"totals": {"merged":2,"failed":1,"cancelled":0,"testRuns":2,"bisectionRuns":0,"cancelledRuns":0,"runsSaved":0,"restarts":0,"testMinutes":20,"healthyEvicted":0,"clashed":0,"badMerged":0,"laneClashes":0,"brokenMainMinutes":0,"cameAgain":0,"waitedHours":0.333333,"peakMainRuns":1,"peakBisectionRuns":0,"peakRuns":1,"unprovenMerges":{"batchMiddle":1,"optimistic":0,"disjointTargets":0,"direct":0},"wastedMinutes":{"restarted":0,"cancelled":0,"flakes":0,"errored":0}},
"timeInQueueMinutes": {"mean":10,"p50":10,"p95":10,"p99":10,"max":10},
"timeToLandMinutes": {"mean":10,"p50":10,"p95":10,"p99":10,"max":10},
"waitMinutes": {"mean":3,"p50":0,"p95":9,"p99":9,"max":9},
"runsPerMerge": 1,
"laneClashes": [],
"theory": {"runsLowerBound":2.754888},
"properties": [{"name":"engine-does-not-throw","checked":6,"violations":[]},{"name":"keeps-moving","checked":6,"violations":[]},{"name":"rebuilds-alike","checked":0,"violations":[]}],
"expectations": [{"name":"merged","expected":[1,2],"actual":[1,2],"holds":true}]
}
`

describe('the result document', () => {
  test('has its fields in a fixed order, and a line for each item of a list', () => {
    const scenario = scenarioOf({
      seed: 3,
      queue: { concurrency: 1, batch: true, batchingMinSize: 2 },
      pullRequests: [{ number: 2 }, { number: 1 }, { number: 3, at: 1, breaks: true }],
      expect: { merged: [1, 2] },
    })
    const { result } = runScenario(scenario)
    const text = [...resultTexts(result)].join('')
    const hash = /"traceHash": "([0-9a-f]{64})"/.exec(text)?.[1]
    expect(text.replace(hash ?? '', 'HASH')).toBe(smallResult)
    const written: object = JSON.parse(text)
    expect(Object.keys(resultDocument(result))).toEqual(Object.keys(written))
  })

  test('given a scenario without pull requests, is complete and has empty lists', () => {
    const result = simulated({})
    expect(result).toMatchObject({
      endedAtMinutes: 0,
      mergeOrder: [],
      pullRequests: [],
      testRuns: [],
      runsPerMerge: null,
      theory: { runsLowerBound: 0 },
      timeInQueueMinutes: { mean: null, p50: null, p95: null, p99: null, max: null },
    })
  })

  test('lists pull requests by number, and runs by id', () => {
    const result = simulated({ queue: { concurrency: 7 }, traffic: { count: 300, breakRate: 0.2 } })
    const numbers = result.pullRequests.map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => 1001 + index))
    const ids = result.testRuns.map(({ id }) => id)
    expect(ids).toEqual(ids.map((_, index) => index + 1))
    expect(result.totals.testRuns).toBe(ids.length)
    expect(result.mergeOrder.length).toBe(result.totals.merged)
  })
})
