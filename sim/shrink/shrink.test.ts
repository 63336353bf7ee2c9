import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resultTexts } from '../result/write-result.ts'
import { runScenario } from '../judge/run-scenario.ts'
import { checkScenario } from '../scenario/check.ts'
import { anyScenario } from '../arbitrary/any-scenario.ts'
import { scenarioOf } from '../testing/simulated.ts'
import { rules, type EngineParts } from '../../engine/index.ts'
import { failuresOf, type Failure, judges } from '../judge/verdict.ts'
import { defectNamed } from '../defects/index.ts'
import { replacing } from '../defects/alterations.ts'
import { MeasurementCollector } from '../judge/measurement.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { expand } from './expand.ts'
import { firstFailure } from './reproduce.ts'
import { regressionOf, shrink } from './shrink.ts'

describe('the expanded form', () => {
  test('states every draw about each pull request', () => {
    const scenario = scenarioOf({
      queue: { concurrency: 2 },
      suite: { minutes: { uniform: [4, 8] }, per: 'pullRequest' },
      pullRequests: [{ number: 3, at: 1, flakeRate: 1 }],
      traffic: {
        count: 3,
        arrivals: { everyMinutes: 2 },
        breakRate: 1,
        conflictRate: 1,
        cancelRate: 1,
        targets: { names: ['web'] },
      },
      suiteFlakes: { tests: [{ name: 'slow', rate: 1 }] },
      events: [{ at: 3, do: 'pushToBranch' }],
      faults: { lostRunRate: 0.01 },
      expect: { merged: { min: 0 } },
    })
    const expanded = expand(scenario)
    expect(Object.keys(expanded)).toEqual([
      'name',
      'queue',
      'suite',
      'pullRequests',
      'events',
      'faults',
      'expect',
    ])
    expect(expanded.pullRequests?.map(({ number }) => number)).toEqual([1001, 3, 1002, 1003])
    const [first, explicit, second] = expanded.pullRequests ?? []
    expect(first).toMatchObject({ at: 0, breaks: true, targets: ['web'] })
    expect(first?.testMinutes).toBeGreaterThanOrEqual(4)
    expect(explicit).not.toHaveProperty('flakeRate')
    expect(explicit?.flakyRuns?.[0]).toEqual({ run: 1, tests: ['slow'] })
    expect(second?.conflictsWith).toEqual([1001])
    const times = (expanded.events ?? []).map(({ at = 0 }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times).toHaveLength(4)
  })

  test('is a valid scenario with the same result, byte for byte', () => {
    fc.assert(
      fc.property(anyScenario(), (scenario) => {
        const expanded = checkScenario(expand(scenario), 'expanded')
        const before = [...resultTexts(runScenario(scenario).result)].join('')
        const after = [...resultTexts(runScenario(expanded).result)].join('')
        expect(after).toBe(before)
      }),
      { numRuns: 40 },
    )
  })

  test('does not change when it is expanded again', () => {
    fc.assert(
      fc.property(anyScenario(), (scenario) => {
        const once = expand(scenario)
        expect(expand(once)).toEqual(once)
      }),
      { numRuns: 15 },
    )
  })
})

/** An engine that uses one slot more than there are. */
const greedy = defectNamed('one-slot-too-many').parts

const busy: Scenario = scenarioOf({
  queue: { concurrency: 3, pendingFailureDepth: 2, batchingMaxWaitTimeMinutes: 3 },
  suite: { minutes: { median: 10, p95: 20 } },
  pullRequests: [
    { number: 40, breaks: true },
    { number: 41, at: 2.7, fixes: [40] },
  ],
  traffic: { count: 40, breakRate: 0.2, conflictRate: 0.1, flakyPullRequestRate: 0.2 },
  suiteFlakes: { perRun: 0.05 },
  quarantine: [{ test: 'slow' }],
  codeHost: { landsGroups: true },
  faults: { lostRunRate: 0.05, mergeMinutes: 1 },
  events: [{ at: 31.2, do: 'pushToBranch' }],
})

function failureOf(scenario: Scenario, parts?: EngineParts): Failure {
  const collector = new MeasurementCollector(scenario)
  const made = parts ? { parts } : {}
  const outcome = simulate(scenario, {
    ...made,
    properties: judges,
    observers: [collector.observer],
  })
  const { expectations } = collector.measure(outcome)
  const failure = firstFailure(failuresOf(outcome.properties, expectations))
  if (!failure) throw new Error('no failure')
  return failure
}

describe('shrinking', () => {
  test('keeps only the pull requests and settings that the failure needs, with small numbers', () => {
    const shrunk = shrink(busy, failureOf(busy, greedy), { parts: greedy })
    expect(shrunk?.isSmallest).toBe(true)
    expect(shrunk?.scenario).toEqual({
      name: 'sketch',
      queue: { concurrency: 1 },
      pullRequests: [{ number: 1 }, { number: 2 }],
    })
    expect(shrunk?.failure.name).toBe('agrees-with-the-model')
  })

  test('is deterministic, and limited by the number of tries alone', () => {
    const failure = failureOf(busy, greedy)
    const some = shrink(busy, failure, { parts: greedy, triesAtMost: 12 })
    const again = shrink(busy, failure, { parts: greedy, triesAtMost: 12 })
    expect(some).toEqual(again)
    expect([some?.tries, some?.isSmallest]).toEqual([12, false])
    expect(failureOf(some?.scenario ?? busy, greedy).name).toBe('agrees-with-the-model')
  })

  test('keeps the missed expectation, and the side on which it is missed', () => {
    const missed: Scenario = {
      ...busy,
      expect: { merged: [40, 41, 1001], testRuns: { max: 20 }, states: [] },
    }
    const shrunk = shrink(missed, failureOf(missed))
    expect(shrunk?.scenario.expect).toEqual({ merged: [1] })
    // One pull request should have merged but did not, and one merged that should not have.
    expect(shrunk?.scenario.pullRequests).toEqual([{ number: 1, breaks: true }, { number: 2 }])
  })

  test('keeps the pull requests where a total is too low: with fewer of them it is lower anyway', () => {
    const pullRequests = [1, 2, 3].map((number) => ({ number, breaks: number < 3, at: number }))
    const missed = scenarioOf({ pullRequests, expect: { merged: { min: 2 } } })
    const shrunk = shrink(missed, failureOf(missed))
    expect(shrunk?.scenario.pullRequests).toHaveLength(3)
  })

  test('gives also those that a submission depends on their small numbers', () => {
    const missed = scenarioOf({
      pullRequests: [{ number: 40, breaks: true }, { number: 41 }, { number: 42 }],
      events: [{ at: 1, do: 'submit', number: 42, dependsOn: [41, 40] }],
      expect: { cancelled: [] },
    })
    const shrunk = shrink(missed, failureOf(missed))
    expect(shrunk?.scenario.pullRequests).toEqual([{ number: 1, breaks: true }, { number: 2 }])
    expect(shrunk?.scenario.events).toEqual([{ do: 'submit', number: 2, dependsOn: [1] }])
  })

  test('returns null if the failure does not occur again', () => {
    expect(shrink(busy, failureOf(busy, greedy))).toBeNull()
  })

  test('distinguishes exceptions of the engine by their message', () => {
    const throwing = replacing({
      settleFailure: () => {
        throw new Error('group 7 is nowhere')
      },
      merge: (step) => {
        if (step.queue.pullRequests[41]?.state === 'TESTS_PASSED') throw new Error('no such merge')
        return rules.merge(step)
      },
    })
    const failure = failureOf(busy, throwing)
    const shrunk = shrink(busy, failure, { parts: throwing })
    expect(shrunk?.scenario.pullRequests).toHaveLength(1)
    expect(shrunk?.failure).toMatchObject({
      violation: { story: 'The engine threw: group 7 is nowhere.' },
    })
  })
})

test('a shrunk scenario as a file has a schema, a name and the failure as description, and can be run', () => {
  const shrunk = shrink(busy, failureOf(busy, greedy), { parts: greedy })
  if (!shrunk) throw new Error('no failure')
  const regression = regressionOf(shrunk, 7)
  expect(regression).toEqual({
    $schema: '../../scenarios/scenario.schema.json',
    name: 'sketch-7-agrees-with-the-model',
    description:
      'Breaks agrees-with-the-model: After submitPullRequest at minute 0, the model expects nothing more, and the engine says main run 2 on 0 commits 1 > 2 (attempt 0, until minute 300).',
    queue: { concurrency: 1 },
    pullRequests: [{ number: 1 }, { number: 2 }],
  })
  expect(failureOf(checkScenario(regression, 'regression'), greedy).name).toBe(
    'agrees-with-the-model',
  )
})
