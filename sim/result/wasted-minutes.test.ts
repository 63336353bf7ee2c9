import { describe, expect, test } from 'vitest'
import { simulated, pullRequests } from '../testing/simulated.ts'

describe('wasted minutes', () => {
  const waste = (scenario: Parameters<typeof simulated>[0]): object =>
    simulated(scenario).totals.wastedMinutes
  const nothing = { restarted: 0, cancelled: 0, flakes: 0, errored: 0 }

  test('given a bad pull request alone, nothing is wasted', () => {
    expect(
      waste({ queue: { concurrency: 1 }, pullRequests: [{ number: 1, breaks: true }] }),
    ).toEqual(nothing)
  })

  test('given a failure below a run, the cancelled run counts as restarted', () => {
    const pullRequestsOnTop = [{ number: 1, breaks: true, testMinutes: 6 }, { number: 2 }]
    expect(waste({ pullRequests: pullRequestsOnTop })).toEqual({ ...nothing, restarted: 6 })
  })

  test('given a push to the branch, discarded verdicts count as restarted', () => {
    const result = waste({
      pullRequests: [{ number: 1, testMinutes: 30 }, { number: 2 }],
      events: [{ at: 20, do: 'pushToBranch' }],
    })
    // The first run had taken 20 minutes; the second had passed after 10.
    expect(result).toEqual({ ...nothing, restarted: 30 })
  })

  test('given a pull request that leaves, its run counts as cancelled', () => {
    const result = waste({
      pullRequests: pullRequests(1),
      events: [{ at: 4, do: 'cancel', number: 1 }],
    })
    expect(result).toEqual({ ...nothing, cancelled: 4 })
  })

  test('given a flake, the failed run counts as flakes', () => {
    expect(waste({ pullRequests: [{ number: 1, flakyRuns: [1] }] })).toEqual({
      ...nothing,
      flakes: 10,
    })
  })

  test('given a runner that loses runs or never ends them, they count as errored', () => {
    expect(waste({ pullRequests: pullRequests(1), faults: { lostRunRate: 1 } })).toEqual({
      ...nothing,
      errored: 30,
    })
    expect(
      waste({
        queue: { testingTimeoutMinutes: 25 },
        pullRequests: pullRequests(1),
        faults: { hangRate: 1 },
      }),
    ).toEqual({ ...nothing, errored: 25 })
  })
})
