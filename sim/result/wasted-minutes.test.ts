import { describe, expect, test } from 'vitest'
import { played, pullRequests } from '../testing/played.ts'

describe('minutes that were wasted', () => {
  const waste = (sketch: Parameters<typeof played>[0]): object =>
    played(sketch).totals.wastedMinutes
  const nothing = { restarted: 0, cancelled: 0, flakes: 0, errored: 0 }

  test('none, when all goes well; a bad pull request wastes nothing by itself', () => {
    expect(
      waste({ queue: { concurrency: 1 }, pullRequests: [{ number: 1, breaks: true }] }),
    ).toEqual(nothing)
  })

  test('by runs whose ground gave way', () => {
    const pullRequestsOnTop = [{ number: 1, breaks: true, testMinutes: 6 }, { number: 2 }]
    expect(waste({ pullRequests: pullRequestsOnTop })).toEqual({ ...nothing, restarted: 6 })
  })

  test('by a verdict that was given up, because something below it left', () => {
    const result = waste({
      pullRequests: [{ number: 1, testMinutes: 30 }, { number: 2 }],
      events: [{ at: 20, do: 'pushToBranch' }],
    })
    // The first had run 20 minutes, the second had passed after 10.
    expect(result).toEqual({ ...nothing, restarted: 30 })
  })

  test('by somebody who left', () => {
    const result = waste({
      pullRequests: pullRequests(1),
      events: [{ at: 4, do: 'cancel', number: 1 }],
    })
    expect(result).toEqual({ ...nothing, cancelled: 4 })
  })

  test('by flakes', () => {
    expect(waste({ pullRequests: [{ number: 1, flakyRuns: [1] }] })).toEqual({
      ...nothing,
      flakes: 10,
    })
  })

  test('by a runner that loses runs, or never ends them', () => {
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
