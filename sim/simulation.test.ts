import { describe, expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { endsOf, played, pullRequests, scenarioOf, violated } from './testing/played.ts'

describe('a run of a scenario', () => {
  test('two culprits in a batch of four are found, the others merge', () => {
    const result = played({
      queue: { concurrency: 1, batch: true, batchingMinSize: 4 },
      pullRequests: [
        { number: 1 },
        { number: 2, breaks: true },
        { number: 3, breaksWith: [1] },
        { number: 4 },
      ],
    })
    expect(result.mergeOrder).toEqual([1, 4])
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED', 3: 'FAILED', 4: 'MERGED' })
    expect(violated(result)).toEqual([])
  })

  test('one after the other, each as long as the suite', () => {
    const result = played({ queue: { concurrency: 1 }, pullRequests: pullRequests(3) })
    const times = result.testRuns.map(({ tested, startedAt, finishedAt }) => [
      tested,
      startedAt,
      finishedAt,
    ])
    expect(times).toEqual([
      [[1], 0, 10],
      [[2], 10, 20],
      [[3], 20, 30],
    ])
    expect(result.endedAtMinutes).toBe(30)
  })

  test('a fix ahead lets the broken one pass; without it, it fails', () => {
    const broken = { number: 2, breaks: true }
    const fixed = played({ pullRequests: [{ number: 1, fixes: [2] }, broken] })
    expect(fixed.mergeOrder).toEqual([1, 2])
    expect(endsOf(played({ pullRequests: [{ number: 1 }, broken] }))[2]).toBe('FAILED')
  })

  test('of two that conflict as text, the later is refused', () => {
    const result = played({
      pullRequests: [{ number: 1 }, { number: 2, at: 1, conflictsWith: [1] }],
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(result.pullRequests[1]?.reason).toBe('START_TEST_RUN_MERGE_CONFLICT')
  })

  test('the order of pull requests in the file means nothing', () => {
    const entries = [
      { number: 1 },
      { number: 2, breaks: true },
      { number: 3, at: 2 },
      { number: 4, at: 2, noBatch: true },
    ]
    const forwards = played({ queue: { batch: true }, pullRequests: entries })
    const backwards = played({ queue: { batch: true }, pullRequests: [...entries].reverse() })
    expect(backwards).toEqual(forwards)
  })

  test('submissions of an instant come before its events, those in the order of the file', () => {
    const result = played({
      pullRequests: [{ number: 1, at: 5 }],
      events: [
        { at: 5, do: 'cancel', number: 1 },
        { at: 5, do: 'submit', number: 1 },
      ],
    })
    expect(result.pullRequests[0]).toMatchObject({ state: 'MERGED', submittedAt: 5, testRuns: 2 })
  })
})

describe('the calm after the storm', () => {
  test('a queue that was left PAUSED runs again, and everybody ends', () => {
    const outcome = simulate(
      scenarioOf({
        pullRequests: pullRequests(2),
        events: [{ at: 1, do: 'updateQueue', set: { state: 'PAUSED' } }],
      }),
    )
    expect(outcome.breach).toBeNull()
    expect([outcome.stormEndedAt, outcome.endedAt]).toEqual([600_000, 600_000])
  })

  test('who is not ready for want of a word gets it', () => {
    const result = played({
      pullRequests: pullRequests(2),
      events: [{ at: 0, do: 'setMergeable', number: 2, mergeable: false }],
      queue: { state: 'DRAINING' },
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED' })
  })

  test('faults are over: a code host that refused everything merges', () => {
    const result = played({
      queue: { state: 'PAUSED' },
      pullRequests: pullRequests(2),
      faults: { mergeRefusedRate: 1, hangRate: 1, lostRunRate: 1 },
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED' })
  })

  test('wake-ups for runs that ended long ago are not waited for', () => {
    const result = played({ queue: { testingTimeoutMinutes: 300 }, pullRequests: pullRequests(1) })
    expect(result.endedAtMinutes).toBe(10)
  })
})
