import { describe, expect, test } from 'vitest'
import type { ResultDocument } from '../result/result-document.ts'
import { played, pullRequests } from '../testing/played.ts'

const lengths = ({ testRuns }: ResultDocument): number[] =>
  testRuns.map(({ startedAt, finishedAt }) => (finishedAt ?? Infinity) - startedAt)

describe('how long a run takes', () => {
  test('as long as the suite, or as the slowest pull request that it tests', () => {
    const result = played({
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

  test('drawn for each run: the same pull request tested again takes another time', () => {
    const result = played({
      suite: { minutes: { uniform: [5, 15] } },
      pullRequests: pullRequests(1),
      events: [{ at: 4, do: 'restart', number: 1 }],
    })
    const [cancelled, again] = lengths(result)
    expect(cancelled).toBe(4)
    expect(again).toBeGreaterThanOrEqual(5)
    expect(again).toBeLessThanOrEqual(15)
  })

  test('drawn for each pull request: every run of it takes its time', () => {
    const result = played({
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
})

describe('flakes', () => {
  const outcomes = ({ testRuns }: ResultDocument): string[] =>
    testRuns.map(({ tested, outcome, flaked }) => `${tested.join()} ${outcome} ${flaked}`)

  test('exactly the runs that were written down', () => {
    const result = played({
      pullRequests: [{ number: 1, flakyRuns: [1, { run: 3, tests: ['slow'] }] }],
      events: [
        { at: 20, do: 'submit', number: 1 },
        { at: 40, do: 'submit', number: 1 },
      ],
    })
    expect(outcomes(result)).toEqual(['1 failed true', '1 passed false', '1 failed true'])
  })

  test('a run that fails anyway has not flaked', () => {
    const result = played({ pullRequests: [{ number: 1, breaks: true, flakyRuns: [1] }] })
    expect(outcomes(result)).toEqual(['1 failed false'])
  })

  test('of a pull request hit every run that holds it, below as well', () => {
    const result = played({
      queue: { concurrency: 2 },
      pullRequests: [{ number: 1, flakeRate: 1 }, { number: 2 }],
    })
    expect(outcomes(result).slice(0, 2)).toEqual(['1 failed true', '2 cancelled false'])
    const below = played({
      queue: { concurrency: 2 },
      pullRequests: [{ number: 1, flakeRate: 1, testMinutes: 20 }, { number: 2 }],
    })
    expect(outcomes(below)[1]).toBe('2 failed true')
  })

  test('of the suite hit as many runs as was said; of each pull request, more in a batch', () => {
    const flaking = (per: 'run' | 'pullRequest'): number => {
      const { testRuns } = played({
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

  test('a named test is reported by its name, beside what really breaks', () => {
    const reported: string[][] = []
    played(
      {
        pullRequests: [{ number: 1, breaks: true }, { number: 2 }],
        suiteFlakes: { tests: [{ name: 'checkout > pays twice', rate: 1 }] },
      },
      {
        readers: [
          () =>
            ({ command }) => {
              if (command.type !== 'finishTestRun') return
              reported.push((command.failedTests ?? []).map(({ name }) => name))
            },
        ],
      },
    )
    expect(reported).toEqual([
      ['what pull request 1 breaks', 'checkout > pays twice'],
      ['checkout > pays twice'],
    ])
  })

  test('a test that passes when it is tried again within the run is reported, and fails nothing', () => {
    const known: (readonly string[])[] = []
    const result = played(
      {
        pullRequests: [{ number: 1 }],
        suiteFlakes: { tests: [{ name: 'slow', rate: 1, retryPassRate: 1 }] },
      },
      {
        readers: [
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

  test('one that failed by a flake and comes again does not meet the same flake for ever', () => {
    const events = Array.from({ length: 20 }, (_, index) => ({
      at: 20 * (index + 1),
      do: 'submit' as const,
      number: 1,
    }))
    const result = played({ pullRequests: [{ number: 1, flakeRate: 0.5 }], events })
    const flaked = result.testRuns.filter((run) => run.flaked).length
    expect(flaked).toBeGreaterThan(3)
    expect(flaked).toBeLessThan(18)
  })

  test('an unrelated pull request changes nobody else: the same runs flake without it', () => {
    const traffic = { count: 200, arrivals: { everyMinutes: 30 } } as const
    const flaky = { suiteFlakes: { perRun: 0.3 } } as const
    const flakedOf = (result: ResultDocument): number[] =>
      result.testRuns.flatMap((run) => (run.flaked && run.tested[0] !== 5 ? run.tested : []))
    const alone = played({ traffic, ...flaky })
    const together = played({ traffic, ...flaky, pullRequests: [{ number: 5, at: 15 }] })
    expect(flakedOf(together)).toEqual(flakedOf(alone))
    expect(flakedOf(alone).length).toBeGreaterThan(30)
  })
})
