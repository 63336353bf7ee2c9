import { describe, expect, test } from 'vitest'
import { runScenario } from '../judge/run-scenario.ts'
import { simulated, scenarioOf } from '../testing/simulated.ts'
import { resultDocument, resultTexts } from './write-result.ts'

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
"totals": {"merged":2,"failed":1,"cancelled":0,"testRuns":2,"bisectionRuns":0,"cancelledRuns":0,"runsSaved":0,"restarts":0,"testMinutes":20,"healthyEvicted":0,"clashed":0,"badMerged":0,"laneClashes":0,"brokenMainMinutes":0,"cameAgain":0,"waitedHours":0.333333,"peakMainRuns":1,"peakBisectionRuns":0,"unprovenMerges":{"batchMiddle":1,"optimistic":0,"disjointTargets":0,"direct":0},"wastedMinutes":{"restarted":0,"cancelled":0,"flakes":0,"errored":0}},
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
