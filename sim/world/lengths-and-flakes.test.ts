import { describe, expect, test } from 'vitest'
import type { ResultDocument } from '../result/result-document.ts'
import type { Length } from '../scenario/scenario.ts'
import { commandsOf, simulated, pullRequests } from '../testing/simulated.ts'

const lengths = ({ testRuns }: ResultDocument): number[] =>
  testRuns.map(({ startedAt, finishedAt }) => (finishedAt ?? Infinity) - startedAt)

describe('the length of a run', () => {
  test('is that of the suite, or of the slowest pull request that it tests', () => {
    const result = simulated({
      queue: { batch: true, batchingMinSize: 2 },
      suite: { minutes: 10 },
      pullRequests: [
        { number: 1, testMinutes: 3 },
        { number: 2, testMinutes: 4 },
        { number: 3, at: 0, testMinutes: 30 },
        { number: 4, at: 0 },
        { number: 5, at: 0, testMinutes: 2 },
        { number: 6, at: 0 },
      ],
    })
    expect(lengths(result)).toEqual([4, 30, 10])
  })

  // S-273
  test('that fails, is the given share of that of one that passes, or drawn by itself', () => {
    const world = {
      queue: { concurrency: 1 },
      pullRequests: [{ number: 1 }, { number: 2, breaks: true, testMinutes: 20 }],
    }
    const lengthsWith = (minutesFailing: Length): number[] =>
      lengths(simulated({ ...world, suite: { minutes: 10, minutesFailing } }))
    expect(lengthsWith(0.3)).toEqual([10, 6])
    const [passing, failing] = lengthsWith({ uniform: [1, 2] })
    expect(passing).toBe(10)
    expect(failing).toBeGreaterThanOrEqual(1)
    expect(failing).toBeLessThanOrEqual(2)
  })

  // S-274
  test('is longer by the wait for a runner, and more so while pull requests have their own checks', () => {
    const startDelay = { minutes: 2, perCheck: 0.5 }
    const result = simulated({
      queue: { concurrency: 1 },
      suite: { minutes: 10, startDelay },
      pullRequests: [{ number: 1 }, { number: 2, at: 1 }, { number: 3, at: 60 }],
    })
    // The first waits for its own checks, the second for none any more.
    expect(lengths(result)).toEqual([13, 12, 13])
  })

  test('drawn for each run, differs when the same pull request is tested again', () => {
    const result = simulated({
      suite: { minutes: { uniform: [5, 15] } },
      pullRequests: pullRequests(1),
      events: [{ at: 4, do: 'restart', number: 1 }],
    })
    const [cancelled, again] = lengths(result)
    expect(cancelled).toBe(4)
    expect(again).toBeGreaterThanOrEqual(5)
    expect(again).toBeLessThanOrEqual(15)
  })

  test('drawn for each pull request, is the same in every run of it', () => {
    const result = simulated({
      queue: { concurrency: 1 },
      suite: { minutes: { uniform: [5, 15] }, per: 'pullRequest' },
      pullRequests: pullRequests(2),
      events: [
        { at: 60, do: 'submit', number: 1 },
        { at: 120, do: 'submit', number: 2 },
      ],
    })
    const [first, second, ...again] = lengths(result).map((minutes) => minutes.toFixed(6))
    expect(again).toEqual([first, second])
    expect(first).not.toBe(second)
  })

  test('of a composition, is that of the slowest in it, also below', () => {
    const result = simulated({
      queue: { concurrency: 2 },
      suite: { minutes: { uniform: [5, 15] }, per: 'composition' },
      pullRequests: pullRequests({ testMinutes: 20 }, { testMinutes: 3 }),
    })
    expect(lengths(result)).toEqual([20, 20])
  })
})

describe('flakes', () => {
  const outcomes = ({ testRuns }: ResultDocument): string[] =>
    testRuns.map(({ tested, outcome, flaked }) => `${tested.join()} ${outcome} ${flaked}`)

  test('do not count if the run fails anyway', () => {
    const result = simulated({ pullRequests: [{ number: 1, breaks: true, flakyRuns: [1] }] })
    expect(outcomes(result)).toEqual(['1 failed false'])
  })

  test('of a pull request hit every run that contains it, also in the base', () => {
    const result = simulated({
      queue: { concurrency: 2 },
      pullRequests: [{ number: 1, flakeRate: 1 }, { number: 2 }],
    })
    expect(outcomes(result).slice(0, 2)).toEqual(['1 failed true', '2 cancelled false'])
    const below = simulated({
      queue: { concurrency: 2 },
      pullRequests: [{ number: 1, flakeRate: 1, testMinutes: 20 }, { number: 2 }],
    })
    expect(outcomes(below)[1]).toBe('2 failed true')
  })

  test('of the suite hit runs at the given rate; drawn per pull request, they hit batches more', () => {
    const flaking = (per: 'run' | 'pullRequest'): number => {
      const { testRuns } = simulated({
        queue: { batch: true, batchingMinSize: 4, concurrency: 1 },
        traffic: { count: 2000, arrivals: { bursts: { size: 4, everyMinutes: 100 } } },
        suiteFlakes: { perRun: 0.05, per },
      })
      const first = testRuns.filter(({ tested }) => tested.length === 4)
      return first.filter(({ flaked }) => flaked).length / first.length
    }
    expect(flaking('run')).toBeGreaterThan(0.02)
    expect(flaking('run')).toBeLessThan(0.08)
    expect(flaking('pullRequest')).toBeGreaterThan(0.14)
    expect(flaking('pullRequest')).toBeLessThan(0.23)
  })

  test('of a named test are reported by its name, together with the tests that really break', () => {
    const { accepted } = commandsOf({
      pullRequests: [{ number: 1, breaks: true }, { number: 2 }],
      suiteFlakes: { tests: [{ name: 'checkout > pays twice', rate: 1 }] },
    })
    const reported = accepted.flatMap((command) =>
      command.type === 'finishTestRun' ? [command.failedTests?.map(({ name }) => name)] : [],
    )
    expect(reported).toEqual([
      ['what pull request 1 breaks', 'checkout > pays twice'],
      ['checkout > pays twice'],
    ])
  })

  test('of a test that passes when repeated within the run are reported, and do not fail the run', () => {
    const known: (readonly string[])[] = []
    const result = simulated(
      {
        pullRequests: [{ number: 1 }],
        suiteFlakes: { tests: [{ name: 'slow', rate: 1, retryPassRate: 1 }] },
      },
      {
        observers: [
          () =>
            ({ events }) => {
              for (const event of events) {
                if (event.type === 'flakyTestsSeen') known.push(event.flakyTests)
              }
            },
        ],
      },
    )
    expect(outcomes(result)).toEqual(['1 passed false'])
    expect(known).toEqual([['slow']])
  })

  test('are drawn again when a pull request is submitted again', () => {
    const events = Array.from({ length: 20 }, (_, index) => ({
      at: 20 * (index + 1),
      do: 'submit' as const,
      number: 1,
    }))
    const result = simulated({ pullRequests: [{ number: 1, flakeRate: 0.5 }], events })
    const flaked = result.testRuns.filter((run) => run.flaked).length
    expect(flaked).toBeGreaterThan(3)
    expect(flaked).toBeLessThan(18)
  })

  test('hit the same runs when an unrelated pull request is added', () => {
    const traffic = { count: 200, arrivals: { everyMinutes: 30 } } as const
    const flaky = { suiteFlakes: { perRun: 0.3 } } as const
    const flakedOf = (result: ResultDocument): number[] =>
      result.testRuns.flatMap((run) => (run.flaked && run.tested[0] !== 5 ? run.tested : []))
    const alone = simulated({ traffic, ...flaky })
    const together = simulated({ traffic, ...flaky, pullRequests: [{ number: 5, at: 15 }] })
    expect(flakedOf(together)).toEqual(flakedOf(alone))
    expect(flakedOf(alone).length).toBeGreaterThan(30)
  })
})
