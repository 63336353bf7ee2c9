import { describe, expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { countPhases } from '../evolve/phases.ts'
import type { Queue } from '../model/state.ts'
import { Story } from '../testing/story.ts'
import { readQueue } from './queue.ts'

const silent = {
  clock: { wakeAt: () => undefined },
  testRunner: { start: () => undefined, cancel: () => undefined },
}

/** A line with a group in each phase: 1 testing, 2 passed, 3 conflicted, 4 failed, 5 waiting. */
function oneInEachPhase(): Story {
  const story = new Story({ concurrency: 3 })
  story.conflict(3, 1)
  story.submit(1, 2, 3, 4, 5)
  story.pass('1 > 2')
  story.fail('1 2 > 4')
  story.error('1 2 4 > 5')
  return story
}

describe('how many groups are in each phase', () => {
  test('is counted as they go from one to another', () => {
    const story = oneInEachPhase()
    expect(story.queue.phases).toEqual({
      waiting: 1,
      testing: 1,
      passed: 1,
      failed: 1,
      conflicted: 1,
    })
    story.urgent(6)
    expect(story.queue.phases).toMatchObject({ waiting: 3, testing: 3, failed: 0, passed: 0 })
    for (const number of [6, 1, 2, 3, 4, 5]) story.cancel(number)
    expect(story.queue.phases).toMatchObject({ waiting: 0, testing: 0, conflicted: 0 })
  })

  test('is counted afresh for a queue written before it was kept, which goes on alike', () => {
    const story = oneInEachPhase()
    const { phases, ...written }: Queue = JSON.parse(story.engine.snapshot())
    const read = readQueue(written)
    expect(read.phases).toEqual(phases)
    const twin = new Engine(read, silent)
    const command = { type: 'finishTestRun', testRun: 1, outcome: 'passed', at: 7 } as const
    expect(twin.dispatch(command)).toEqual(story.engine.dispatch(command))
    expect(countPhases(read)).toEqual(read.phases)
  })
})
