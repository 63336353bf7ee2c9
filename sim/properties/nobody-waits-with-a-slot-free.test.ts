import { describe, expect, test } from 'vitest'
import { engineParts, type EngineParts } from '../../engine/index.ts'
import { nobodyWaitsWithASlotFree } from './nobody-waits-with-a-slot-free.ts'
import { engineWithRules, nothing } from './testing/defects.ts'
import { at, cancel, submit, submitAs, update } from './testing/script.ts'
import { findingsOf } from './testing/watched.ts'

/** Also schedules no wake-ups: they would be requested for overdue work again and again. */
const startingNobody = { formGroup: nothing, armWake: nothing }

describe('nobody-waits-with-a-slot-free', () => {
  const batching = { batch: true, batchingMinSize: 3, concurrency: 1 }

  // E-116
  test('holds while a batch waits to fill up, until the maximum wait', () => {
    const world = { configuration: batching, script: [...submit(0, 1, 2), ...submit(4, 3, 4)] }
    const { checks, violations } = findingsOf(nobodyWaitsWithASlotFree, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-32
  test('holds while a noBatch pull request waits for the batch ahead of it', () => {
    const script = [...submit(0, 1), submitAs(1, 2, { noBatch: true }), ...submit(2, 3)]
    const { checks, violations } = findingsOf(nobodyWaitsWithASlotFree, {
      configuration: { ...batching, concurrency: 2 },
      script,
    })
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds while the queue is PAUSED or DRAINING', () => {
    for (const state of ['PAUSED', 'DRAINING'] as const) {
      const script = [...submit(0, 1), update(1, { state }), ...submit(2, 2), cancel(3, 1)]
      expect(findingsOf(nobodyWaitsWithASlotFree, { script }).violations).toEqual([])
    }
  })

  // E-83
  test('holds while a bisection waits for the last repeat, also if another one was due before', () => {
    const world = {
      configuration: { ...batching, bisectionConcurrency: 3 },
      facts: { breaks: [1] },
      // Run 2 tests 1, is lost twice, and is due again at minute 20. Run 3 tests 1 and 2, is lost
      // later and only once, and its repeat fails at minute 18.
      faultyRuns: { 2: 'errored', 3: 'errored', 4: 'errored' },
      runMinutes: [10, 10, 2, 6, 2, 1, 10],
      script: submit(0, 1, 2, 3),
    } as const
    const { checks, violations } = findingsOf(nobodyWaitsWithASlotFree, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  // E-116
  test('is violated when no group is started', () => {
    const wrong = engineWithRules(startingNobody)
    expect(findingsOf(nobodyWaitsWithASlotFree, { script: submit(0, 1) }, wrong).stories[0]).toBe(
      'At minute 0 pull request 1 is PENDING although main slots are free (5) and there is no batch to wait for.',
    )
  })

  test.each([
    ['is full', submit(0, 1, 2, 3), '3 are enough for a batch'],
    ['is first and tested alone', aloneAhead(), 'pull request 1 need not wait for others'],
  ])('is violated when a group %s and does not start', (_case, script, reason) => {
    const wrong = engineWithRules(startingNobody)
    const { stories } = findingsOf(
      nobodyWaitsWithASlotFree,
      { configuration: batching, script },
      wrong,
    )
    expect(stories[0]).toBe(
      `At minute 0 pull request 1 is PENDING although main slots are free (1) and ${reason}.`,
    )
  })

  test('is violated when a pull request waits longer than the maximum wait', () => {
    const wrong = engineWithRules(startingNobody)
    const script = [...submit(0, 1), at(5, { type: 'wake' })]
    const world = { configuration: batching, script }
    expect(findingsOf(nobodyWaitsWithASlotFree, world, wrong).stories).toContain(
      'At minute 5 pull request 1 is PENDING although main slots are free (1) and 1 has waited 5 minutes.',
    )
  })

  test('is violated when an urgent pull request does not enter the line at once', () => {
    const wrong = engineWithRules({ ...startingNobody, interruptForUrgent: nothing })
    const world = { script: [submitAs(0, 1, { priority: 0 })] }
    expect(findingsOf(nobodyWaitsWithASlotFree, world, wrong).stories[0]).toBe(
      'At minute 0 pull request 1 is urgent and not in the line.',
    )
  })

  test('is violated when a cancelled run keeps its slot', () => {
    const wrong = engineWithRules({}, { evolve: keepingSlots })
    const script = [...submit(0, 1, 2), cancel(1, 1)]
    const world = { configuration: { concurrency: 1 }, script }
    expect(findingsOf(nobodyWaitsWithASlotFree, world).violations).toEqual([])
    expect(findingsOf(nobodyWaitsWithASlotFree, world, wrong).stories[0]).toBe(
      'At minute 1 pull request 2 is PENDING although main slots are free (1) and there is no batch to wait for.',
    )
  })

  test('is violated when a restarted group is not started', () => {
    const wrong = engineWithRules({ startWaiting: nothing })
    expect(findingsOf(nobodyWaitsWithASlotFree, { script: submit(0, 1) }, wrong).stories[0]).toBe(
      'At minute 0 group 1 of pull request 1 waits for a run, although main slots are free: 5.',
    )
  })

  test('is violated when a bisection is idle', () => {
    const wrong = engineWithRules({ startBisectionRuns: nothing })
    const configuration = { ...batching, bisectionConcurrency: 2 }
    const failing = { configuration, facts: { breaks: [2] }, script: submit(0, 1, 2, 3) }
    expect(findingsOf(nobodyWaitsWithASlotFree, failing).violations).toEqual([])
    expect(findingsOf(nobodyWaitsWithASlotFree, failing, wrong).stories[0]).toBe(
      'At minute 10 the bisection of pull requests 1, 2 and 3 is idle, with 1, 2 and 3 undecided and a slot free.',
    )
  })
})

function aloneAhead() {
  return [submitAs(0, 1, { noBatch: true }), ...submit(0, 2)]
}

const keepingSlots: EngineParts['evolve'] = (queue, event) => {
  engineParts.evolve(queue, event)
  if (event.type === 'testRunCancelled') queue.slots.main++
}
