import { describe, expect, test } from 'vitest'
import { flakyTestsAreNoticed } from './flaky-tests-are-noticed.ts'
import { drive } from './testing/drive.ts'
import { at, submit } from './testing/script.ts'
import { altered, checkProperties, findingsOf } from './testing/watched.ts'

describe('flaky-tests-are-noticed', () => {
  // Run 2 of pull request 2 passes on top of 1, is repeated by request as run 3, and fails.
  const world = {
    configuration: { concurrency: 2 },
    faultyRuns: { 3: 'flakes' },
    runMinutes: [10, 60, 10],
    script: [...submit(0, 1, 2), at(15, { type: 'restartTests', number: 2 } as const)],
  } as const

  // E-82
  test('holds when a failure after a pass of the same counts as a flake', () => {
    const { checks, violations } = findingsOf(flakyTestsAreNoticed, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(1)
  })

  // E-82
  test('holds when another run times out at the instant at which a test proves to flake', () => {
    // The same composition fails twice, the second time in a test. Run 1 times out in that command.
    const twice = { ...world, faultyRuns: { 2: 'flakes', 3: 'flakes' } } as const
    const other = altered(drive(twice), (event) =>
      event.type === 'verdictRecorded' && event.testRun === 3
        ? [
            { ...event, failedTests: ['another'] },
            { type: 'flakyTestsSeen', flakyTests: ['another'] },
            { type: 'testRunFinished', testRun: 1, outcome: 'timed_out', failedTests: [] },
          ]
        : [event],
    )
    const { checks, violations } = checkProperties([flakyTestsAreNoticed], twice, other)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(1)
  })

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
