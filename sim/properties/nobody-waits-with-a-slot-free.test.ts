import { describe, expect, test } from 'vitest'
import { parts, type Parts } from '../../engine/index.ts'
import { nobodyWaitsWithASlotFree } from './nobody-waits-with-a-slot-free.ts'
import { engineWith, nothing } from './testing/defects.ts'
import { at, cancel, submit, submitAs, update } from './testing/script.ts'
import { find } from './testing/watched.ts'

/** Nor does it ask to be woken for what is overdue, again and again. */
const startingNobody = { formGroup: nothing, armWake: nothing }

describe('nobody-waits-with-a-slot-free', () => {
  const batching = { batch: true, batchingMinSize: 3, concurrency: 1 }

  test('holds while a batch fills, for as long as it may', () => {
    const world = { configuration: batching, script: [...submit(0, 1, 2), ...submit(4, 3, 4)] }
    const { checks, violations } = find(nobodyWaitsWithASlotFree, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds while the queue is PAUSED or DRAINING', () => {
    for (const state of ['PAUSED', 'DRAINING'] as const) {
      const script = [...submit(0, 1), update(1, { state }), ...submit(2, 2), cancel(3, 1)]
      expect(find(nobodyWaitsWithASlotFree, { script }).violations).toEqual([])
    }
  })

  test('is violated when nobody is started', () => {
    const wrong = engineWith(startingNobody)
    expect(find(nobodyWaitsWithASlotFree, { script: submit(0, 1) }, wrong).stories[0]).toBe(
      'At minute 0 pull request 1 is PENDING with 5 of the main slots free, and there is no batch to wait for.',
    )
  })

  test.each([
    ['is full', submit(0, 1, 2, 3), '3 are there for a batch'],
    ['cannot be joined by the next', joinedByNobody(), 'one of those PENDING joins nobody'],
  ])('is violated when a batch %s and does not start', (_case, script, why) => {
    const wrong = engineWith(startingNobody)
    const { stories } = find(nobodyWaitsWithASlotFree, { configuration: batching, script }, wrong)
    expect(stories[0]).toBe(
      `At minute 0 pull request 1 is PENDING with 1 of the main slots free, and ${why}.`,
    )
  })

  test('is violated when somebody waits for longer than the maximum wait', () => {
    const wrong = engineWith(startingNobody)
    const script = [...submit(0, 1), at(5, { type: 'wake' })]
    const world = { configuration: batching, script }
    expect(find(nobodyWaitsWithASlotFree, world, wrong).stories).toContain(
      'At minute 5 pull request 1 is PENDING with 1 of the main slots free, and 1 has waited 5 minutes.',
    )
  })

  test('is violated when an urgent one does not come in at once', () => {
    const wrong = engineWith({ ...startingNobody, interruptForUrgent: nothing })
    const world = { script: [submitAs(0, 1, { priority: 0 })] }
    expect(find(nobodyWaitsWithASlotFree, world, wrong).stories[0]).toBe(
      'At minute 0 pull request 1 is urgent and not in the line.',
    )
  })

  test('is violated when a cancelled run keeps its slot', () => {
    const wrong = engineWith({}, { evolve: keepingSlots })
    const script = [...submit(0, 1, 2), cancel(1, 1)]
    const world = { configuration: { concurrency: 1 }, script }
    expect(find(nobodyWaitsWithASlotFree, world).violations).toEqual([])
    expect(find(nobodyWaitsWithASlotFree, world, wrong).stories[0]).toBe(
      'At minute 1 pull request 2 is PENDING with 1 of the main slots free, and there is no batch to wait for.',
    )
  })

  test('is violated when a restarted group is not started', () => {
    const wrong = engineWith({ startWaiting: nothing })
    expect(find(nobodyWaitsWithASlotFree, { script: submit(0, 1) }, wrong).stories[0]).toBe(
      'At minute 0 group 1 of pull request 1 waits for a run, and 5 of the main slots are free.',
    )
  })

  test('is violated when a bisection stands still', () => {
    const wrong = engineWith({ startBisectionRuns: nothing })
    const failing = { configuration: batching, facts: { breaks: [2] }, script: submit(0, 1, 2, 3) }
    expect(find(nobodyWaitsWithASlotFree, failing).violations).toEqual([])
    expect(find(nobodyWaitsWithASlotFree, failing, wrong).stories[0]).toBe(
      'At minute 10 the bisection of pull requests 1, 2 and 3 stands still, with 1, 2 and 3 undecided and a slot free.',
    )
  })
})

function joinedByNobody() {
  return [...submit(0, 1), submitAs(0, 2, { noBatch: true })]
}

const keepingSlots: Parts['evolve'] = (queue, event) => {
  parts.evolve(queue, event)
  if (event.type === 'testRunCancelled') queue.slots.main++
}
