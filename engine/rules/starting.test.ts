import { describe, expect, test } from 'vitest'
import { Story, batches } from '../testing/story.ts'

describe('order and starting', () => {
  // E-14
  test('a merged pull request is part of the tip, and no group restarts because of it', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3)
    story.pass('> 1')
    expect(story.running).toEqual(['1 > 2', '2 > 3'])
    expect(story.happened('groupRestarted')).toEqual([])
  })

  // E-25
  test('groups that passed or failed use no slot', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3, 4)
    story.pass('1 > 2')
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'TESTS_PASSED', 'TESTING'])
    story.fail('1 2 > 3')
    expect(story.states(3, 4)).toEqual(['PENDING_FAILURE', 'TESTING'])
    expect(story.running).toEqual(['> 1', '1 2 3 > 4'])
  })

  // E-20
  test('a resubmission replaces priority and noBatch in place, and restarts no group', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2, 3)
    story.submitAs(3, { priority: 10 })
    story.submitAs(1, { noBatch: true, priority: 200 })
    expect(story.running).toEqual(['> 1'])
    expect(story.queue.pullRequests[1]).toMatchObject({ priority: 200, noBatch: true })
    story.pass('> 1')
    expect(story.running).toEqual(['> 3'])
  })
})

// E-27, E-105
test('a restarted batch keeps its members and is not refilled', () => {
  const story = batches(3, { concurrency: 2 })
  story.submit(1, 2, 3, 4)
  story.cancel(2)
  expect(story.running).toEqual(['> 1 3'])
})

// E-33
test('a member that became urgent splits off when its batch restarts', () => {
  const story = batches(4, { concurrency: 4 })
  story.submit(9)
  story.wait(5)
  story.submit(1, 2, 3, 4)
  story.urgent(2)
  expect(story.running).toEqual(['> 9', '9 > 1 2 3 4'])
  story.fail('> 9')
  expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3 4'])
})

describe('an urgent pull request', () => {
  // E-37
  test('does not disturb bisections and does not wait for them', () => {
    const story = new Story({ batch: true, batchingMinSize: 2, bisectionConcurrency: 1 })
    story.submit(1, 2)
    story.fail('> 1 2')
    story.urgent(9)
    expect(story.running).toEqual(['bisect > 1', '> 9'])
    story.pass('> 9')
    expect(story.merged).toEqual([9])
  })

  // E-39
  test('waits while the queue starts nothing new', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1)
    story.update({ state: 'DRAINING' })
    story.urgent(9)
    expect(story.stateOf(9)).toBe('NOT_READY')
    expect(story.running).toEqual(['> 1'])
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['> 9', '9 > 1'])
  })
})
