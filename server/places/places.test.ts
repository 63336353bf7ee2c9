import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pendingInOrder } from '../../engine/index.ts'
import type { EngineCommand } from '../yard/commands.ts'
import { Register } from '../yard/register.ts'
import type { YardQueue } from '../yard/yard-queue.ts'
import { Places } from './places.ts'

const queueName = 'github.com/acme/shop:main'

const number = fc.integer({ min: 1, max: 12 })

/** What moves pull requests about; runs are named by their age among those under way. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('submitPullRequest' as const),
      number,
      priority: fc.constantFrom(0, 10, 100, 200),
      noBatch: fc.boolean(),
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

function* commandsOf(steps: readonly Step[], queue: YardQueue): Generator<EngineCommand | number> {
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

/** Runs the steps on a queue that batches, and looks after each. */
function play(steps: readonly Step[], look: (queue: YardQueue) => void): void {
  const register = new Register({ wakeAt: () => undefined })
  let at = 0
  let sequence = 0
  const send = (command: Parameters<Register['apply']>[0]['command']): void => {
    sequence++
    register.apply({ sequence, at, queue: queueName, command })
  }
  const set = { batch: true, batchingMaxWaitTimeMinutes: 2, batchingMinSize: 3, concurrency: 2 }
  send({ type: 'createQueue', incarnation: '00000000-0000-4000-8000-000000000000', set })
  const queue = register.find(queueName)
  if (!queue) throw new Error('no queue')
  for (const command of commandsOf(steps, queue)) {
    if (typeof command === 'number') at += command * 60_000
    else send(command)
    look(queue)
  }
}

test('places followed step by step are those found by looking at everything', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      play(steps, (queue) => {
        const followed = [...queue.places().inOrder()].map((each) => each.number)
        expect(followed).toEqual(
          [...new Places(queue.engine.queue).inOrder()].map((each) => each.number),
        )
        for (const [index, each] of [...queue.places().inOrder()].entries()) {
          expect(queue.places().of(each)).toBe(index + 1)
        }
      })
    }),
    { numRuns: 150 },
  )
})

test('everybody in the queue has one place: started, then pending as they will be taken, then not ready', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      play(steps, ({ engine, places }) => {
        const inOrder = [...places().inOrder()]
        const live = Object.values(engine.queue.pullRequests).filter(
          ({ home }) => home.in !== 'nowhere',
        )
        expect(places().size).toBe(live.length)
        expect(new Set(inOrder).size).toBe(live.length)
        const waiting = inOrder.filter(({ home }) => home.in === 'order')
        expect(inOrder.slice(-waiting.length || inOrder.length)).toEqual(waiting)
        const pending = waiting.filter(({ state }) => state === 'PENDING')
        expect(pending).toEqual([...pendingInOrder(engine.queue)])
        expect(waiting.slice(0, pending.length)).toEqual(pending)
      })
    }),
    { numRuns: 150 },
  )
})
