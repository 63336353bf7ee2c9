import fc from 'fast-check'
import { expect, test, describe } from 'vitest'
import { Story } from '../testing/story.ts'
import {
  firstPending,
  notReadyInOrder,
  oldestPendingSince,
  pendingInOrder,
} from './pending-order.ts'
import { append, insert, noEntries, remove, type Entries } from './entries.ts'

type Action =
  | { do: 'submit'; number: number; priority: number; noBatch: boolean }
  | { do: 'cancel'; number: number }
  | { do: 'object' | 'allow'; number: number }
  | { do: 'wait' }

const number = fc.integer({ min: 1, max: 12 })
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('submit' as const),
    number,
    priority: fc.constantFrom(10, 100, 200),
    noBatch: fc.boolean(),
  }),
  fc.record({ do: fc.constant('cancel' as const), number }),
  fc.record({ do: fc.constantFrom('object' as const, 'allow' as const), number }),
  fc.record({ do: fc.constant('wait' as const) }),
)

/** A queue whose only slot stays occupied, so that all other pull requests wait. */
function blockedQueue(): Story {
  const story = new Story({ concurrency: 1, testingTimeoutMinutes: 1_000_000 })
  story.submit(1000)
  return story
}

// E-22, E-101
test('the pending order is sorted by priority, then by submission, after any sequence of actions', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
      const story = blockedQueue()
      for (const each of actions) act(story, each)
      const waiting = Object.values(story.queue.pullRequests).filter(
        ({ state, home }) => state === 'PENDING' && home.in === 'order',
      )
      const sorted = waiting.toSorted(
        (a, b) => a.priority - b.priority || a.submission - b.submission,
      )
      expect([...pendingInOrder(story.queue)].map((each) => each.number)).toEqual(
        sorted.map((each) => each.number),
      )
      expect(firstPending(story.queue)?.number).toBe(sorted[0]?.number)
      const instants = waiting.map(({ pendingSince }) => pendingSince ?? Infinity)
      expect(oldestPendingSince(story.queue) ?? Infinity).toBe(Math.min(...instants))
      expect(story.queue.order.pending).toBe(waiting.length)
      const notReady = Object.values(story.queue.pullRequests)
        .filter(({ state }) => state === 'NOT_READY')
        .toSorted((a, b) => a.submission - b.submission)
      expect(notReadyInOrder(story.queue)).toEqual(notReady)
      expect(story.queue.order.unready).toBe(notReady.length)
      expect(story.queue.order.alone).toBe(waiting.filter(({ noBatch }) => noBatch).length)
    }),
    { numRuns: 300 },
  )
})

function act(story: Story, each: Action): void {
  if (each.do === 'submit') {
    const { priority, noBatch } = each
    story.submitAs(each.number, { priority, noBatch })
  } else if (each.do === 'cancel') story.cancel(each.number)
  else if (each.do === 'wait') story.wait(1)
  else {
    const mergeable = each.do === 'allow'
    story.send({ type: 'reportPullRequest', number: each.number, mergeable })
  }
}

// E-22, E-101
test('one that waits for long keeps no entries of those that have come and gone behind it', () => {
  const story = blockedQueue()
  const objectTo = (one: number, isObjected: boolean) =>
    story.send({ type: 'reportPullRequest', number: one, mergeable: !isObjected })
  objectTo(1, true)
  story.submit(1, 2)
  for (let one = 3; one < 500; one++) {
    objectTo(one, true)
    story.submit(one)
    objectTo(one, false)
    story.cancel(one)
  }
  const { notReady, arrivals, levels } = story.queue.order
  for (const { numbers } of [notReady, arrivals, ...levels]) expect(numbers.length).toBeLessThan(65)
  expect(notReadyInOrder(story.queue).map((each) => each.number)).toEqual([1])
  expect([...pendingInOrder(story.queue)].map((each) => each.number)).toEqual([2])
})

/** Entries with these keys. Each number is its key with a minus. */
function withKeys(...keys: number[]): Entries {
  const entries = noEntries()
  for (const key of keys) append(entries, -key, key)
  return entries
}

const upTo = (count: number): Entries =>
  withKeys(...Array.from({ length: count }, (_, index) => index + 1))

const removeUpTo = (entries: Entries, last: number): void => {
  for (let key = 1; key <= last; key++) remove(entries, key)
}

describe('entries in the order of a key', () => {
  test('a new entry is inserted at the position of its key', () => {
    const entries = withKeys(1, 5)
    insert(entries, -3, 3)
    insert(entries, -9, 9)
    expect(entries).toEqual({ numbers: [-1, -3, -5, -9], keys: [1, 3, 5, 9], head: 0 })
  })

  test('an entry with a key that exists is not inserted again', () => {
    const entries = withKeys(1, 5)
    insert(entries, -7, 5)
    expect(entries).toEqual(withKeys(1, 5))
  })

  test('an entry in the middle is removed with its key', () => {
    const entries = withKeys(1, 3, 5)
    remove(entries, 3)
    expect(entries).toEqual(withKeys(1, 5))
  })

  test('a key that no entry has removes nothing, at the head, in the middle and at the end', () => {
    const entries = withKeys(2, 4)
    for (const key of [1, 3, 5]) remove(entries, key)
    expect(entries).toEqual(withKeys(2, 4))
  })
})

test('removed entries are freed in bulk when at least 64 are', () => {
  const entries = upTo(100)
  removeUpTo(entries, 63)
  expect([entries.head, entries.numbers.length, entries.keys.length]).toEqual([63, 100, 100])
  remove(entries, 64)
  expect([entries.head, entries.numbers.length, entries.keys.length]).toEqual([0, 36, 36])
  expect(entries.numbers[0]).toBe(-65)
})
