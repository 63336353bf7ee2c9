import { describe, expect, test } from 'vitest'
import { drawsOf } from '../random/draw.ts'
import type { ResultDocument } from '../result/result-document.ts'
import { endsOf, simulated, pullRequests, scenarioOf, violated } from '../testing/simulated.ts'
import { properties } from '../properties/index.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { Faults } from './faults.ts'
import { simulate } from './simulate.ts'

const outcomes = ({ testRuns }: ResultDocument): string[] =>
  testRuns.map(({ startedAt, finishedAt, outcome }) => `${startedAt}-${finishedAt} ${outcome}`)

describe('test runs', () => {
  test('that are lost end as errored when they are due, and are repeated', () => {
    const always = simulated({ pullRequests: pullRequests(1), faults: { lostRunRate: 1 } })
    expect(outcomes(always)).toEqual(['0-10 errored', '11-21 errored', '26-36 errored'])
    expect(always.pullRequests[0]?.reason).toBe('START_TEST_RUN_RETRY_EXHAUSTED')
  })

  // S-41
  test('of which none ever passes stop a queue that tests its branch, and nobody waits forever', () => {
    const waiting = { queue: { policy: 'adaptive' }, pullRequests: pullRequests(2) } as const
    expect(violated(simulated({ ...waiting, faults: { lostRunRate: 1 } }))).toEqual([])
    const flaking = simulated({ ...waiting, suiteFlakes: { perRun: 1 } })
    expect(violated(flaking)).toEqual([])
    expect(endsOf(flaking)).toEqual({ 1: 'FAILED', 2: 'FAILED' })
  })

  // S-41
  test('that all take longer than they may end too, although a result of a run before is due', () => {
    const result = simulated({
      queue: { policy: 'adaptive', testingTimeoutMinutes: 300 },
      suite: { minutes: 400 },
      pullRequests: pullRequests(2),
    })
    expect(violated(result)).toEqual([])
    expect(endsOf(result)).toEqual({ 1: 'FAILED', 2: 'FAILED' })
  })

  test('that overlap an outage are lost, and no others', () => {
    const result = simulated({
      pullRequests: [{ number: 1 }, { number: 2, at: 40 }],
      faults: { outages: [{ from: 5, minutes: 12 }] },
    })
    expect(outcomes(result)).toEqual([
      '0-10 errored',
      '11-21 errored',
      '26-36 passed',
      '40-50 passed',
    ])
  })

  test('count when the server is back, and have their whole time again', () => {
    const sketch = {
      queue: { concurrency: 1, testingTimeoutMinutes: 30 },
      pullRequests: [{ number: 1 }, { number: 2, at: 200 }],
    }
    const serverOutages = [
      { from: 5, minutes: 100 },
      { from: 60, minutes: 100 },
    ]
    // The second begins during the first: together they last from 5 to 160.
    const ended = simulated({ ...sketch, faults: { serverOutages } })
    expect(outcomes(ended)).toEqual(['0-160 passed', '200-210 passed'])
    const hung = simulated({ ...sketch, faults: { serverOutages, hangRate: 1 } })
    expect(outcomes(hung)).toEqual(['0-190 timed_out', '200-230 timed_out'])
  })

  test('report late by at most the given time, each with its own delay', () => {
    const result = simulated({
      traffic: { count: 50, arrivals: { everyMinutes: 20 } },
      faults: { lateResultMinutes: 3 },
    })
    const lengths = result.testRuns.map(
      ({ startedAt, finishedAt }) => (finishedAt ?? 0) - startedAt,
    )
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(10)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(13)
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeGreaterThan(2)
  })

  test('that report twice change nothing, and neither do reports of cancelled runs', () => {
    const sketch = {
      pullRequests: pullRequests({}, { breaks: true }, {}, { at: 1 }),
      events: [{ at: 5, do: 'cancel', number: 1 }],
    } as const
    const rejected: string[] = []
    const once = simulated(sketch)
    const twice = simulated(
      { ...sketch, faults: { duplicateResultRate: 1 } },
      { onRejection: ({ type }) => rejected.push(type) },
    )
    // The first report names each test twice, so the trace alone differs.
    expect({ ...twice, traceHash: once.traceHash }).toEqual(once)
    expect(twice.traceHash).not.toBe(once.traceHash)
    expect(rejected.length).toBe(once.testRuns.length + once.totals.cancelledRuns)
  })
})

describe('a result that is followed by the opposite result', () => {
  const sketch = {
    queue: { concurrency: 2, batch: true, batchingMinSize: 2 },
    pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }, { number: 4, at: 1 }],
    events: [{ at: 5, do: 'cancel', number: 4 }],
  } as const

  test('counts only the first time', () => {
    const contradicting: string[] = []
    const once = simulated(sketch)
    const twice = simulated(
      { ...sketch, faults: { contradictoryResultRate: 1 } },
      {
        onRejection: (command) => {
          if (command.type === 'finishTestRun') contradicting.push(command.outcome)
        },
      },
    )
    expect(twice).toEqual(once)
    expect(new Set(contradicting)).toEqual(new Set(['passed', 'failed']))
  })

  test('counts also if it was lost when the server came back, and the opposite was due', () => {
    const serverOutages = [{ from: 5, minutes: 20 }]
    const faults = { contradictoryResultRate: 1, lostCommandRate: 1, serverOutages }
    const result = simulated({ pullRequests: [{ number: 1, at: 1 }], faults })
    expect(endsOf(result)).toEqual({ 1: 'MERGED' })
  })

  test('counts first also after weeks without a server, and the run is not taken for stuck', () => {
    const serverOutages = [{ from: 5, minutes: 30_000 }]
    const faults = { contradictoryResultRate: 1, lostCommandRate: 1, serverOutages }
    const queue = { testingTimeoutMinutes: 50_000 }
    const conflicting = [{ number: 1 }, { number: 2, conflictsWith: [1] }]
    const codeHost = { conflictsFoundByBuild: true }
    const result = simulated({ queue, pullRequests: conflicting, codeHost, faults })
    expect(violated(result)).toEqual([])
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
  })
})

describe('an engine that crashes', () => {
  const scenario = scenarioOf({
    queue: { concurrency: 3, batch: true, pendingFailureDepth: 1 },
    traffic: { count: 60, breakRate: 0.2, cancelRate: 0.1, urgentRate: 0.1, conflictRate: 0.02 },
    suiteFlakes: { perRun: 0.05 },
    faults: { mergeMinutes: 1, lostRunRate: 0.05 },
  })

  // E-119
  test('is rebuilt with the same bytes, and the trace is the same', () => {
    const quiet = simulate(scenario)
    const crashing = simulate({ ...scenario, faults: { ...scenario.faults, crashRate: 0.3 } })
    const rebuilt = crashing.properties.find(({ name }) => name === 'rebuilds-alike')
    expect(crashing.traceHash).toBe(quiet.traceHash)
    expect(rebuilt?.checked).toBeGreaterThan(50)
    expect(rebuilt?.violations).toEqual([])
  })

  test('crashes both before and after the ports have received the effects of its last command', () => {
    const faults = new Faults({ crashRate: 0.5 }, drawsOf(1))
    const crashes = Array.from({ length: 200 }, (_, command) => faults.crashAfter(command))
    expect(new Set(crashes)).toEqual(new Set([null, 'published', 'unpublished']))
  })
})

test('with every kind of fault no property is violated and every pull request ends', () => {
  const result = simulated({
    queue: { concurrency: 4, batch: true, canOptimisticallyMerge: true, pendingFailureDepth: 2 },
    suite: { minutes: { median: 10, p95: 25 } },
    tieOrder: 'shuffled',
    traffic: {
      count: 150,
      breakRate: { rate: 0.1, sticky: 0.5 },
      conflictRate: 0.01,
      flakyPullRequestRate: 0.1,
      cancelRate: 0.1,
      pushRate: 0.1,
      urgentRate: 0.05,
      noBatchRate: 0.1,
    },
    suiteFlakes: { perRun: 0.05, tests: [{ name: 'checkout > pays twice', rate: 0.05 }] },
    events: [
      { at: 60, do: 'updateQueue', set: { state: 'PAUSED' } },
      { at: 90, do: 'updateQueue', set: { state: 'RUNNING' } },
      { at: 120, do: 'pushToBranch' },
    ],
    faults: {
      lostRunRate: 0.05,
      duplicateResultRate: 0.2,
      lateResultMinutes: 3,
      hangRate: 0.02,
      mergeRefusedRate: 0.05,
      mergeMinutes: 0.5,
      outages: [{ from: 150, minutes: 20 }],
      crashRate: 0.05,
    },
  })
  const { merged, failed, cancelled } = result.totals
  expect(violated(result)).toEqual([])
  expect(merged + failed + cancelled).toBe(150)
})

describe('a crash that loses a command which was not on disk', () => {
  const losing = {
    queue: { concurrency: 2, batch: true, batchingMinSize: 2 },
    pullRequests: pullRequests(6),
    faults: { lostCommandRate: 0.5 },
  }

  // S-39
  test('only delays what the client sends again: everybody merges', () => {
    const result = simulated(losing)
    expect(violated(result)).toEqual([])
    expect(new Set(Object.values(endsOf(result)))).toEqual(new Set(['MERGED']))
    expect(result.endedAtMinutes).toBeGreaterThan(20)
  })

  // S-39
  test('a server that tells the runner and the host before that is found out', () => {
    const holds = (seed: number, arePortsCalledEarly: boolean): boolean => {
      const scenario = swarmScenario(seed, ['lost commands', 'culprits', 'bursts'])
      const outcome = simulate(scenario, { properties, arePortsCalledEarly, isUnhashed: true })
      return outcome.properties.every(({ violations }) => violations.length === 0)
    }
    // About one in 16 finds it.
    const seeds = Array.from({ length: 20 }, (_, index) => 81 + index)
    const found = seeds.find((seed) => !holds(seed, true)) ?? NaN
    expect(found).not.toBeNaN()
    expect(holds(found, false)).toBe(true)
  })

  // S-41
  test('a server that repeats all of it at one instant, again and again, is stopped and found out', () => {
    const repeating = {
      queue: { concurrency: 2 },
      pullRequests: [{ number: 1 }, { number: 2, conflictsWith: [1] }],
      codeHost: { conflictsFoundByBuild: true },
      faults: { lostCommandRate: 1 },
    }
    expect(simulate(scenarioOf(repeating)).breach).toBeNull()
    const outcome = simulate(scenarioOf(repeating), { arePortsCalledEarly: true, isUnhashed: true })
    expect(outcome.breach).toMatchObject({ kind: 'no progress', pullRequests: [1, 2] })
    const moving = outcome.properties.find(({ name }) => name === 'keeps-moving')
    expect(moving?.violations).toHaveLength(1)
    expect(moving?.violations[0]?.story).toMatch(/^\d+ times in a row something happened of which /)
  })
})
