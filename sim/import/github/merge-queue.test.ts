import { expect, test } from 'vitest'
import { checkScenario } from '../../scenario/check.ts'
import {
  event,
  GitHubStory,
  pushed,
  queued,
  queueRule,
  removed,
  shaOf,
} from '../testing/github-story.ts'

const story = (): GitHubStory => new GitHubStory()

// S-251
test('given the merge queue, a pull request is submitted when it enters, and takes what its group took', () => {
  const scenario = new GitHubStory({ rules: [queueRule] })
    .pull(7, { merged: 13 }, queued(0), removed(13))
    .pull(9, { merged: 31 }, event('auto_squash_enabled', 1), queued(15), removed(31))
    .group(7, 1, { minutes: 11.5 })
    .group(9, 16, { on: 7 })
    .imported()
  expect(scenario).toMatchObject({
    queue: { concurrency: 4, testingTimeoutMinutes: 45 },
    suite: { minutes: { median: 10, p95: 11.5 } },
    pullRequests: [
      { number: 7, at: 0, testMinutes: 11.5 },
      { number: 9, at: 15, testMinutes: 10 },
    ],
    startsAt: '2026-03-02T09:00:00.000Z',
  })
  expect(scenario).not.toHaveProperty('events')
  expect(checkScenario(scenario, 'shop')).toEqual(scenario)
})

// S-253
test('given flakes, who was evicted by one comes back after the usual time', () => {
  const built = story()
  for (const [number, gap] of [
    [1, 2],
    [2, 8],
    [3, 30],
  ] as const) {
    built.pull(number, { merged: 90 }, queued(number), removed(90))
    built.group(number, number, { id: number, conclusion: 'failure', minutes: 5 })
    built.group(number, number + 5 + gap, { id: number, attempt: 2 })
  }
  const scenario = built.imported()
  expect(scenario.resubmit).toEqual({ afterMinutes: 8 })
  expect(scenario.measured).toContainEqual({
    what: 'tested again',
    value: 'half within 8 min, 95 % within 30 min',
    samples: '3 flakes',
  })
})

// S-253
test('given commits that failed twice, they are submitted twice, and break', () => {
  const stream = story()
    .pull(8, { closed: 90 }, queued(0), removed(12), queued(60), removed(72))
    .group(8, 1, { conclusion: 'failure' })
    .group(8, 61, { sha: shaOf('b8'), conclusion: 'failure', minutes: 9 })
    .stream()
  expect(stream).toEqual([
    { number: 8, at: 0, breaks: true, testMinutes: 10 },
    { do: 'submit', number: 8, at: 60 },
  ])
})

// S-254
test.each([
  ['closed', { closed: 5 }, [queued(0)], 'close'],
  ['pushed to', { closed: 90 }, [queued(0), pushed(5, shaOf(70)), removed(5)], 'push'],
  ['taken out by a person', { closed: 90 }, [queued(0), removed(5, 'person')], 'cancel'],
  ['removed by the queue without a failed run', { closed: 90 }, [queued(0), removed(5)], 'cancel'],
] as const)(
  'given one that was %s, and never merged, it leaves the queue',
  (_, ends, items, verb) => {
    const stream = story()
      .pull(7, ends, ...items)
      .stream()
    expect(stream).toEqual([
      { number: 7, at: 0 },
      { do: verb, number: 7, at: 5 },
    ])
  },
)

// S-251
test('given no timeline, a pull request is submitted when the queue first tests it', () => {
  const stream = story().pull(7, { merged: 30 }).group(7, 4).pull(9, { merged: 31 }).stream()
  expect(stream).toEqual([
    { number: 7, at: 0, testMinutes: 10 },
    { number: 9, at: 27 },
  ])
})

// S-252
test('given runs that time out, they are lost; cancelled ones say nothing', () => {
  const scenario = story()
    .pull(7, { merged: 90 }, queued(0), removed(90))
    .group(7, 1, { id: 5, conclusion: 'timed_out', minutes: 60 })
    .group(7, 62, { id: 5, minutes: 10, attempt: 2 })
    .pull(9, { merged: 100 }, queued(70), removed(100))
    .group(9, 71, { id: 6, conclusion: 'cancelled', minutes: 1 })
    .group(9, 80, { id: 6, minutes: 12, attempt: 2 })
    .imported()
  expect(scenario.faults).toEqual({ lostRunRate: 0.25 })
  expect(scenario.pullRequests).toEqual([
    { number: 7, at: 0, testMinutes: 10 },
    { number: 9, at: 70, testMinutes: 12 },
  ])
})

// S-254
test('given a removal after which the queue goes on testing, it was none', () => {
  const stream = story()
    .pull(7, { merged: 60 }, queued(0), removed(10), removed(60))
    .group(7, 40)
    .stream()
  expect(stream).toEqual([{ number: 7, at: 0, testMinutes: 10 }])
})

// S-251
test('given a merge queue, auto-merge alone submits nothing', () => {
  const history = story()
    .pull(7, { merged: 20 }, event('auto_squash_enabled', 0), queued(8), removed(20))
    .pull(9, { closed: 50 }, event('auto_squash_enabled', 1))
    .group(7, 9)
    .head(9, 2, { conclusion: 'failure' })
    .history()
  expect(history.contents.map(({ pull }) => pull.number)).toEqual([7])
  expect(history.leftOut.neverSubmitted).toBe(1)
})
