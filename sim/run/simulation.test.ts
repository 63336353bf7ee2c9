import { describe, expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { endsOf, simulated, pullRequests, scenarioOf, violated } from '../testing/simulated.ts'

describe('a run of a scenario', () => {
  test('finds two culprits in a batch of four, and the others merge', () => {
    const result = simulated({
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

  test('tests one after the other with one slot, each as long as the suite', () => {
    const result = simulated({ queue: { concurrency: 1 }, pullRequests: pullRequests(3) })
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

  test('a broken pull request passes with its fix ahead, and fails without it', () => {
    const broken = { number: 2, breaks: true }
    const fixed = simulated({ pullRequests: [{ number: 1, fixes: [2] }, broken] })
    expect(fixed.mergeOrder).toEqual([1, 2])
    expect(endsOf(simulated({ pullRequests: [{ number: 1 }, broken] }))[2]).toBe('FAILED')
  })

  test('of two that conflict as text, the later one fails', () => {
    const result = simulated({
      pullRequests: [{ number: 1 }, { number: 2, at: 1, conflictsWith: [1] }],
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'FAILED' })
    expect(result.pullRequests[1]?.reason).toBe('START_TEST_RUN_MERGE_CONFLICT')
  })

  test('does not depend on the order of pull requests in the file', () => {
    const entries = [
      { number: 1 },
      { number: 2, breaks: true },
      { number: 3, at: 2 },
      { number: 4, at: 2, noBatch: true },
    ]
    const forwards = simulated({ queue: { batch: true }, pullRequests: entries })
    const backwards = simulated({ queue: { batch: true }, pullRequests: [...entries].reverse() })
    expect(backwards).toEqual(forwards)
  })

  test('at one instant submissions come first, then events in the order of the file', () => {
    const result = simulated({
      pullRequests: [{ number: 1, at: 5 }],
      events: [
        { at: 5, do: 'cancel', number: 1 },
        { at: 5, do: 'submit', number: 1 },
      ],
    })
    expect(result.pullRequests[0]).toMatchObject({ state: 'MERGED', submittedAt: 5, testRuns: 2 })
  })
})

describe('the quiet phase', () => {
  test('sets a PAUSED queue RUNNING, and every pull request ends', () => {
    const outcome = simulate(
      scenarioOf({
        pullRequests: pullRequests(2),
        events: [{ at: 1, do: 'updateQueue', set: { state: 'PAUSED' } }],
      }),
    )
    expect(outcome.breach).toBeNull()
    expect([outcome.faultPhaseEndedAt, outcome.endedAt]).toEqual([600_000, 600_000])
  })

  test('makes pull requests ready to which the code host objects', () => {
    const result = simulated({
      pullRequests: pullRequests(2),
      events: [{ at: 0, do: 'setMergeable', number: 2, mergeable: false }],
      queue: { state: 'DRAINING' },
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED' })
  })

  test('has no faults: a code host that refused every merge merges', () => {
    const result = simulated({
      queue: { state: 'PAUSED' },
      pullRequests: pullRequests(2),
      faults: { mergeRefusedRate: 1, hangRate: 1, lostRunRate: 1 },
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED' })
  })

  test('does not wait for wake-ups of runs that have ended', () => {
    const result = simulated({
      queue: { testingTimeoutMinutes: 300 },
      pullRequests: pullRequests(1),
    })
    expect(result.endedAtMinutes).toBe(10)
  })
})
