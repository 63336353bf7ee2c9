import { describe, expect, test } from 'vitest'
import { Engine, engineParts, runCommand } from './engine.ts'
import { evolve } from './evolve/step.ts'
import { newQueue } from './model/queue.ts'
import type { Queue } from './model/state.ts'
import { Story } from './testing/story.ts'

const silent = {
  clock: { wakeAt: () => undefined },
  testRunner: { start: () => undefined, cancel: () => undefined },
}

describe('the engine', () => {
  // E-1, E-7, E-119
  test('given a snapshot, a second engine continues with the same events and the same state', () => {
    const story = new Story({ concurrency: 2, batch: true, batchingMinSize: 2 })
    story.submit(1, 2, 3, 4, 5)
    story.fail('> 1 2')
    const restored: Queue = JSON.parse(story.engine.snapshot())
    const copy = new Engine(restored, silent)
    const command = { type: 'finishTestRun', testRun: 3, outcome: 'failed', at: 7 } as const
    expect(copy.dispatch(command)).toEqual(story.engine.dispatch(command))
    expect(copy.snapshot()).toBe(story.engine.snapshot())
  })

  // E-2, E-7
  test('when it resumes after a crash, it repeats the instructions that the ports may have missed', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    const received: string[] = []
    const restored: Queue = JSON.parse(story.engine.snapshot())
    const copy = new Engine(restored, {
      clock: { wakeAt: (instant) => received.push(`wake at ${instant}`) },
      testRunner: { start: (run) => received.push(`start ${run.id}`), cancel: () => undefined },
      codeHost: { merge: (numbers) => received.push(`merge ${numbers.join(' ')}`) },
    })
    copy.resume()
    expect(received).toEqual(['start 2', 'merge 1', 'wake at 18000000'])
  })

  // E-3
  test('when a command is rejected, nothing changes, not even the time of the queue', () => {
    const story = new Story()
    const before = story.engine.snapshot()
    story.wait(3)
    expect(story.cancel(1)).not.toBeNull()
    expect(story.engine.snapshot()).toBe(before)
  })

  // E-8
  test('a wake-up at which nothing is due changes nothing', () => {
    const story = new Story()
    expect(story.engine.dispatch({ type: 'wake', at: 5 })).toEqual({ accepted: true, events: [] })
  })

  // E-4
  test('throws when a command is earlier than the last accepted one', () => {
    const queue = newQueue({ at: 10 })
    expect(() => runCommand(queue, { type: 'wake', at: 9 })).toThrow('time runs backwards')
  })

  // E-5
  test('throws when a port dispatches a command from within a command', () => {
    const engine = new Engine(newQueue(), {
      ...silent,
      testRunner: {
        start: (run) =>
          engine.dispatch({ type: 'finishTestRun', testRun: run.id, outcome: 'passed', at: 0 }),
        cancel: () => undefined,
      },
    })
    expect(() => engine.dispatch({ type: 'submitPullRequest', number: 1, at: 0 })).toThrow(
      'dispatched from within',
    )
  })

  // E-6
  test('throws when the rules never become idle', () => {
    const endless = { ...engineParts, rules: [() => true] }
    expect(() => runCommand(newQueue(), { type: 'wake', at: 0 }, endless)).toThrow('still act')
  })

  // E-6, E-43
  test('merges a batch that is much larger than the line', () => {
    const story = new Story({ concurrency: 1, batch: true, batchingMinSize: 400 })
    const numbers = Array.from({ length: 400 }, (_, index) => index + 1)
    story.submit(...numbers)
    story.pass(`> ${numbers.join(' ')}`)
    expect(story.merged).toEqual(numbers)
  })

  // E-15
  test('throws when a move is not in the transition table', () => {
    const story = new Story()
    story.submit(1)
    const queue: Queue = JSON.parse(story.engine.snapshot())
    const moved = {
      type: 'pullRequestMoved',
      number: 1,
      from: 'TESTING',
      to: 'MERGED',
      reason: 'MERGE_GRAPH_MERGE',
      testRun: null,
    } as const
    expect(() => evolve(queue, moved)).toThrow('cannot go from TESTING to MERGED')
    expect(() => evolve(queue, { ...moved, number: 2 })).toThrow('no pull request 2')
  })
})

// E-64
test('the test runner is told to end a run that timed out, and none that has ended itself', () => {
  const cancelled: number[] = []
  const queue = newQueue({ configuration: { testingTimeoutMinutes: 10 } })
  const engine = new Engine(queue, {
    clock: { wakeAt: () => undefined },
    testRunner: { start: () => undefined, cancel: (run) => void cancelled.push(run) },
  })
  engine.dispatch({ type: 'submitPullRequest', number: 1, at: 0 })
  engine.dispatch({ type: 'finishTestRun', testRun: 1, outcome: 'passed', at: 1 })
  expect(cancelled).toEqual([])
  engine.dispatch({ type: 'submitPullRequest', number: 2, at: 2 })
  engine.dispatch({ type: 'wake', at: 600_002 })
  expect(cancelled).toEqual([2])
})
