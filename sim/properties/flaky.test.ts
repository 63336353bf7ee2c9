import { describe, expect, test } from 'vitest'
import type { Event, EngineParts } from '../../engine/index.ts'
import { altering } from '../defects/alterations.ts'
import {
  drive,
  at,
  submit,
  altered,
  checkProperties,
  findingsOf,
} from './testing/scripted-queue.ts'
import { simulate } from '../run/simulate.ts'
import { scenarioOf } from '../testing/simulated.ts'
import { defectNamed } from '../defects/index.ts'
import { flakesAreShown } from './flakes-are-shown.ts'
import { flakyTestsAreNoticed } from './flaky-tests-are-noticed.ts'
import { quarantineIsKept } from './quarantine-is-kept.ts'

describe('flakes-are-shown', () => {
  // The run of the batch of 1 and 2 fails, and passes when it is repeated during the hold.
  const repeated = {
    configuration: { batch: true, batchingMinSize: 2, pendingFailureDepth: 1, concurrency: 2 },
    faultyRuns: { 1: 'flakes' },
    runMinutes: [60, 10],
    script: [...submit(0, 1, 2, 3, 4), at(15, { type: 'restartTests', number: 1 })],
  } as const
  // Prefix 1 fails, and prefix 1 2 passes because 2 repairs 1.
  const mended = {
    configuration: { batch: true, batchingMinSize: 3, bisectionConcurrency: 3 },
    facts: { breaks: [1, 3], fixes: [[2, 1]] },
    script: submit(0, 1, 2, 3),
  } as const

  test('holds for a composition that failed and passed, and for a bisection', () => {
    expect(findingsOf(flakesAreShown, repeated)).toMatchObject({ checks: 2, violations: [] })
    expect(findingsOf(flakesAreShown, mended).violations).toEqual([])
  })

  // E-82
  test('is violated when a failure counts as a flake without a run that shows it', () => {
    const contradicted = { type: 'verdictContradicted', testRun: 1, flakyTests: [] } as const
    const wrong = altering('memberConvicted', (event) => [contradicted, event])
    expect(findingsOf(flakesAreShown, mended, wrong).stories).toContain(
      'The failure of run 1 counts as a flake, but its composition has not passed and no successor cleared its group.',
    )
  })

  // E-82
  test('is violated when a flake is not noticed', () => {
    const silent = (event: Event): Event[] => (event.type === 'verdictContradicted' ? [] : [event])
    const { stories } = checkProperties(
      [flakesAreShown],
      repeated,
      altered(drive(repeated), silent),
    )
    expect(stories).toEqual([
      'The failure of run 1 does not count as a flake, although run 3 contradicts it.',
    ])
  })
})

describe('flaky-tests-are-noticed', () => {
  // Run 2 of pull request 2 passes on top of 1, is repeated by request as run 3, and fails.
  const world = {
    configuration: { concurrency: 2 },
    faultyRuns: { 3: 'flakes' },
    runMinutes: [10, 60, 10],
    script: [...submit(0, 1, 2), at(15, { type: 'restartTests', number: 2 } as const)],
  } as const

  // E-82
  test('holds when the verdict that shows a flake pushes the other one out of the memory', () => {
    // Run 2 fails in x, and its composition passes again and again: the last time as the 100th one after it.
    const restarts = Array.from({ length: 100 }, (_, nth) =>
      at(15 + 11 * nth, { type: 'restartTests', number: 2 } as const),
    )
    const long = {
      configuration: { concurrency: 2, testingTimeoutMinutes: 2000 },
      faultyRuns: { 2: 'flakes' },
      runMinutes: [10, 1900, ...Array.from({ length: 108 }, () => 10)],
      script: [...submit(0, 1, 2), ...restarts],
    } as const
    const named = altered(drive(long), (event) => {
      if (event.type === 'verdictRecorded' && event.testRun === 2)
        return [{ ...event, failedTests: ['x'] }]
      return [event.type === 'verdictContradicted' ? { ...event, flakyTests: ['x'] } : event]
    })
    const shown = named.steps.flatMap(({ events }) =>
      events.filter((event) => event.type === 'verdictContradicted'),
    )
    expect(shown).toHaveLength(2)
    const { checks, violations } = checkProperties([flakyTestsAreNoticed], long, named)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(100)
  })

  test('is violated when a test is said to flake that no run contradicts', () => {
    const plain = { script: submit(0, 1), facts: { breaks: [1] } }
    const marked = altered(drive(plain), (event) =>
      event.type === 'verdictRecorded'
        ? [event, { type: 'verdictContradicted', testRun: event.testRun, flakyTests: ['x'] }]
        : [event],
    )
    expect(checkProperties([flakyTestsAreNoticed], plain, marked).stories).toEqual([
      'At minute 10 the test "x" was said to flake, although no two runs of the same differ in it.',
    ])
  })

  // E-82
  test('is violated when a difference is noticed from one side only', () => {
    // The same composition fails twice, each time in another test.
    const twice = { ...world, faultyRuns: { 2: 'flakes', 3: 'flakes' } } as const
    const other = altered(drive(twice), (event) =>
      event.type === 'verdictRecorded' && event.testRun === 3
        ? [{ ...event, failedTests: ['another'] }]
        : [event],
    )
    expect(checkProperties([flakyTestsAreNoticed], twice, other).stories[0]).toMatch(
      /^At minute 25 run 3 ended, and the test ".+" is not known to flake, although it failed in one of two runs of the same\.$/,
    )
  })
})

const clock = 'clock > strikes'

/** 1 passes in spite of `clock`; 2 fails it after the entry has ended; 3 passes when it is renewed. */
const scenario = scenarioOf({
  suite: { minutes: 10 },
  quarantine: [{ test: clock, until: 20 }],
  pullRequests: [
    { number: 1, flakyRuns: [{ run: 1, tests: [clock] }] },
    { number: 2, at: 20, breaks: true, breaksTest: clock },
    { number: 3, at: 45, flakyRuns: [{ run: 1, tests: [clock] }] },
  ],
  events: [{ at: 40, do: 'quarantine', test: clock }],
})

function findings(parts?: EngineParts): { checked: number; stories: string[] } {
  const properties = [quarantineIsKept]
  const outcome = simulate(scenario, { properties, ...(parts ? { parts } : {}) })
  const own = outcome.properties.find(({ name }) => name === quarantineIsKept.name)
  if (!own) throw new Error('it did not watch')
  return { checked: own.checked, stories: own.violations.map(({ story }) => story) }
}

describe('quarantine-is-kept', () => {
  test.each([
    // E-270, E-271
    ['quarantine-without-end', `Run 2 passed, and of the tests that failed (${clock}) not all are`],
    ['quarantine-ends-at-once', `Run 1 failed, and of the tests that failed (${clock}) all are`],
    ['renewed-as-if-new', `Test ${clock} is in quarantine since 2400000, and not 0.`],
    // E-272
    [
      'merges-do-not-name-the-quarantine',
      `passed by run 1 in spite of ${clock}, and its move names`,
    ],
    [
      'merges-by-quarantine-not-counted',
      '2 merges leaned on tests in quarantine, and 0 are counted.',
    ],
  ])('is violated by %s', (defect, story) => {
    expect(findings(defectNamed(defect).parts).stories[0]).toContain(story)
  })
})
