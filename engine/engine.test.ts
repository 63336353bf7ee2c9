import { describe, expect, test } from 'vitest'
import { Engine } from './engine.ts'
import { evolve } from './evolve/index.ts'
import { newQueue } from './model/queue.ts'
import type { Queue } from './model/state.ts'
import { parts, runCommand } from './run-command.ts'
import { Story } from './testing/story.ts'

const silent = {
  clock: { wakeAt: () => undefined },
  testRunner: { start: () => undefined, cancel: () => undefined },
}

describe('the engine', () => {
  test('goes on exactly alike from a snapshot', () => {
    const story = new Story({ concurrency: 2, batch: true, batchingMinSize: 2 })
    story.submit(1, 2, 3, 4, 5)
    story.fail('> 1 2')
    const restored: Queue = JSON.parse(story.engine.snapshot())
    const twin = new Engine(restored, silent)
    const command = { type: 'finishTestRun', testRun: 3, outcome: 'failed', at: 7 } as const
    expect(twin.dispatch(command)).toEqual(story.engine.dispatch(command))
    expect(twin.snapshot()).toBe(story.engine.snapshot())
  })

  test('tells the ports after a crash what they may not have heard', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    const heard: string[] = []
    const restored: Queue = JSON.parse(story.engine.snapshot())
    const twin = new Engine(restored, {
      clock: { wakeAt: (instant) => heard.push(`wake at ${instant}`) },
      testRunner: { start: (run) => heard.push(`start ${run.id}`), cancel: () => undefined },
      codeHost: { merge: (number) => heard.push(`merge ${number}`) },
    })
    twin.resume()
    expect(heard).toEqual(['start 2', 'merge 1', 'wake at 18000000'])
  })

  test('tells the runner to give up a run that timed out', () => {
    const cancelled: number[] = []
    const engine = new Engine(newQueue({ configuration: { testingTimeoutMinutes: 1 } }), {
      clock: { wakeAt: () => undefined },
      testRunner: { start: () => undefined, cancel: (run) => cancelled.push(run) },
    })
    engine.dispatch({ type: 'submitPullRequest', number: 1, at: 0 })
    engine.dispatch({ type: 'wake', at: 60_000 })
    expect(cancelled).toEqual([1])
  })

  test('a refused command changes nothing, its instant included', () => {
    const story = new Story()
    const before = story.engine.snapshot()
    story.wait(3)
    expect(story.cancel(1)).not.toBeNull()
    expect(story.engine.snapshot()).toBe(before)
  })

  test('a wake-up for nothing is harmless', () => {
    const story = new Story()
    expect(story.engine.dispatch({ type: 'wake', at: 5 })).toEqual({ accepted: true, events: [] })
  })

  test('refuses to run backwards in time', () => {
    const queue = newQueue({ at: 10 })
    expect(() => runCommand(queue, { type: 'wake', at: 9 })).toThrow('time runs backwards')
  })

  test('refuses a command from within a command', () => {
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

  test('notices rules that chase each other', () => {
    const restless = { ...parts, rules: [() => true] }
    expect(() => runCommand(newQueue(), { type: 'wake', at: 0 }, restless)).toThrow('come to rest')
  })

  test('refuses a move that the transition table does not have', () => {
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
