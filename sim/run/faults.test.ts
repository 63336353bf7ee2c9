import { describe, expect, test } from 'vitest'
import { drawsOf } from '../random/draw.ts'
import { Faults } from './faults.ts'
import type { ResultDocument } from '../result/result-document.ts'
import { simulate } from './simulate.ts'
import { endsOf, simulated, pullRequests, scenarioOf, violated } from '../testing/simulated.ts'

const outcomes = ({ testRuns }: ResultDocument): string[] =>
  testRuns.map(({ startedAt, finishedAt, outcome }) => `${startedAt}-${finishedAt} ${outcome}`)

describe('test runs', () => {
  test('that are lost end as errored when they are due, and are repeated', () => {
    const always = simulated({ pullRequests: pullRequests(1), faults: { lostRunRate: 1 } })
    expect(outcomes(always)).toEqual(['0-10 errored', '11-21 errored', '26-36 errored'])
    expect(always.pullRequests[0]?.reason).toBe('START_TEST_RUN_RETRY_EXHAUSTED')
  })

  test('that hang time out', () => {
    const result = simulated({
      queue: { testingTimeoutMinutes: 60 },
      pullRequests: pullRequests(1),
      faults: { hangRate: 1 },
    })
    expect(outcomes(result)).toEqual(['0-60 timed_out'])
    expect(endsOf(result)).toEqual({ 1: 'FAILED' })
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
      pullRequests: [
        { number: 1 },
        { number: 2, breaks: true },
        { number: 3 },
        { number: 4, at: 1 },
      ],
      events: [{ at: 5, do: 'cancel', number: 1 }],
    } as const
    const rejected: string[] = []
    const once = simulated(sketch)
    const twice = simulated(
      { ...sketch, faults: { duplicateResultRate: 1 } },
      { onRejection: ({ type }) => rejected.push(type) },
    )
    expect(twice).toEqual(once)
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
})

describe('the code host', () => {
  test('merges at once if the scenario says nothing about merges', () => {
    const result = simulated({ queue: { concurrency: 1 }, pullRequests: pullRequests(2) })
    expect(result.pullRequests.map(({ concludedAt }) => concludedAt)).toEqual([10, 20])
  })

  test('answers after the given time', () => {
    const result = simulated({ pullRequests: pullRequests(2), faults: { mergeMinutes: 0.5 } })
    expect(result.pullRequests.map(({ concludedAt }) => concludedAt)).toEqual([10.5, 11])
  })

  test('refuses a merge, and the pull request fails', () => {
    const result = simulated({ pullRequests: pullRequests(2), faults: { mergeRefusedRate: 1 } })
    expect(endsOf(result)).toEqual({ 1: 'FAILED', 2: 'FAILED' })
    expect(result.pullRequests[0]?.reason).toBe('GITHUB_API_MERGE_PR_FAILED')
  })

  test.each([
    [{ mergeConflictRate: 1 }, 'START_TEST_RUN_MERGE_CONFLICT'],
    [{ mergePushedRate: 1 }, 'PR_UPDATED_AT_MERGE_TIME'],
  ])('gives the reason of the refusal: %o', (faults, reason) => {
    const result = simulated({ pullRequests: pullRequests(2), faults })
    expect(result.pullRequests.map((each) => each.reason)).toEqual([reason, reason])
  })

  // E-208
  test('somebody pushes during a merge, and nobody fails', () => {
    const queue = { batch: true, batchingMinSize: 3 }
    const faults = { branchMovedRate: 0.5, mergeMinutes: 2 }
    const result = simulated({ queue, pullRequests: pullRequests(30), faults })
    expect(new Set(Object.values(endsOf(result)))).toEqual(new Set(['MERGED']))
    expect(result.totals.testRuns).toBeGreaterThan(10)
  })

  test('refuses for each reason at the given rate', () => {
    const faults = new Faults(
      { mergeRefusedRate: 0.2, mergeConflictRate: 0.2, mergePushedRate: 0.2 },
      drawsOf(1),
    )
    const drawn = Array.from({ length: 1000 }, (_, key) => faults.refusalOf(key))
    const counts = [
      'GITHUB_API_MERGE_PR_FAILED',
      'START_TEST_RUN_MERGE_CONFLICT',
      'PR_UPDATED_AT_MERGE_TIME',
    ].map((reason) => drawn.filter((each) => each === reason).length)
    for (const count of counts) expect(Math.abs(count - 200)).toBeLessThan(50)
  })

  test('draws each refusal separately when a pull request is submitted again', () => {
    const events = Array.from({ length: 30 }, (_, index) => ({
      at: 20 * (index + 1),
      do: 'submit' as const,
      number: 1,
    }))
    const attempts = simulated({
      pullRequests: pullRequests(1),
      events,
      faults: { mergeRefusedRate: 0.5 },
    })
    expect(attempts.mergeOrder.length).toBeGreaterThan(5)
    expect(attempts.mergeOrder.length).toBeLessThan(26)
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
