import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EngineCommand, pendingInOrder } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { Positions, SortedKeys } from './positions.ts'

const queueName = 'github.com/acme/shop:main'

const number = fc.integer({ min: 1, max: 9 })

/** Commands that change positions. Runs are selected by their index among those in progress. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('submitPullRequest' as const),
      number,
      priority: fc.constantFrom(100, 100, 100, 0, 10, 200),
      noBatch: fc.boolean(),
      dependsOn: fc.uniqueArray(number, { maxLength: 1 }),
    }),
  },
  fc.record({
    type: fc.constant('cancelPullRequest' as const),
    number,
    reason: fc.constant('USER_REQUESTED' as const),
  }),
  fc.record({ type: fc.constant('restartTests' as const), number }),
  fc.record({
    type: fc.constant('updateQueue' as const),
    set: fc.record({ state: fc.constantFrom('RUNNING' as const, 'PAUSED', 'DRAINING') }),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('finish' as const),
      run: fc.nat(5),
      outcome: fc.constantFrom('passed' as const, 'failed', 'errored'),
    }),
  },
  fc.record({ type: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 6 }) }),
)

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function* commandsOf(
  steps: readonly Step[],
  queue: ManagedQueue,
): Generator<EngineCommand | number> {
  for (const each of steps) {
    if (each.type === 'wait') {
      yield each.minutes
      yield { type: 'wake' }
    } else if (each.type === 'finish') {
      const runs = Object.values(queue.engine.queue.testRuns)
      const run = runs[each.run % Math.max(1, runs.length)]
      if (run) yield { type: 'finishTestRun', testRun: run.id, outcome: each.outcome }
    } else yield each
  }
}

/** Steps, and how many runs may be in progress: with one of them, more wait. */
const course = fc.record({
  concurrency: fc.constantFrom(1, 2),
  steps: fc.array(step, { maxLength: 60 }),
})

type Course = typeof course extends fc.Arbitrary<infer Value> ? Value : never

/** Runs the steps on a queue with batches, and calls `check` after each. */
function runSteps({ concurrency, steps }: Course, check: (queue: ManagedQueue) => void): void {
  const registry = new QueueRegistry({ wakeAt: () => undefined })
  let at = 0
  let sequence = 0
  const send = (command: Parameters<QueueRegistry['apply']>[0]['command']): void => {
    sequence++
    registry.apply({ sequence, at, queue: queueName, command })
  }
  const set = { batch: true, batchingMaxWaitTimeMinutes: 2, batchingMinSize: 3, concurrency }
  send({ type: 'createQueue', incarnation: '00000000-0000-4000-8000-000000000000', set })
  const queue = registry.find(queueName)
  if (!queue) throw new Error('no queue')
  for (const command of commandsOf(steps, queue)) {
    if (typeof command === 'number') at += command * 60_000
    else send(command)
    check(queue)
  }
}

test('positions updated step by step equal positions computed from the whole queue', () => {
  fc.assert(
    fc.property(course, (drawn) => {
      runSteps(drawn, (queue) => {
        const followed = [...queue.positions().inOrder()].map((each) => each.number)
        expect(followed).toEqual(
          [...new Positions(queue.engine.queue).inOrder()].map((each) => each.number),
        )
        for (const [index, each] of [...queue.positions().inOrder()].entries()) {
          expect(queue.positions().of(each)).toBe(index + 1)
        }
      })
    }),
    { numRuns: 150 },
  )
})

test('each pull request has one position: started ones, then pending ones in starting order, then not ready ones', () => {
  fc.assert(
    fc.property(course, (drawn) => {
      runSteps(drawn, ({ engine, positions }) => {
        const inOrder = [...positions().inOrder()]
        const live = Object.values(engine.queue.pullRequests).filter(
          ({ home }) => home.in !== 'nowhere',
        )
        expect(positions().size).toBe(live.length)
        expect(new Set(inOrder).size).toBe(live.length)
        const waiting = inOrder.filter(({ home }) => home.in === 'order')
        expect(inOrder.slice(-waiting.length || inOrder.length)).toEqual(waiting)
        const pending = waiting.filter(({ state }) => state === 'PENDING')
        expect(pending).toEqual([...pendingInOrder(engine.queue)])
        expect(waiting.slice(0, pending.length)).toEqual(pending)
      })
    }),
    // One that is made ready behind others of its priority is rare.
    { numRuns: 1_000 },
  )
})

test('after insertions and deletions, each position is the number of smaller keys', () => {
  const change = fc.record({ key: fc.nat(5000), adds: fc.boolean() })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4000, size: 'max' }), (changes) => {
      const keys = new SortedKeys()
      const known = new Set<number>()
      for (const { key, adds } of changes) {
        if (adds && !known.has(key)) keys.add(key)
        if (!adds) keys.delete(key)
        if (adds) known.add(key)
        else known.delete(key)
      }
      const sorted = [...known].sort((a, b) => a - b)
      expect([...keys]).toEqual(sorted)
      expect(keys.size).toBe(sorted.length)
      expect(sorted.map((key) => keys.positionOf(key))).toEqual(sorted.map((_key, index) => index))
    }),
    { numRuns: 30 },
  )
})

test('ten thousand ascending keys stay in order across chunks', () => {
  const keys = new SortedKeys()
  for (let key = 0; key < 10_000; key++) keys.add(key * 2)
  expect(keys.positionOf(9_000)).toBe(4_500)
  expect(keys.positionOf(9_001)).toBe(4_501)
  for (let key = 0; key < 10_000; key += 2) keys.delete(key * 2)
  expect(keys.positionOf(19_998)).toBe(4_999)
  expect(keys.positionOf(-1)).toBe(0)
  expect(keys.positionOf(1_000_000)).toBe(5_000)
})
