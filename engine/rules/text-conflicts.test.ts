import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('text conflicts', () => {
  test('with the tip: FAILED, through TESTING, without a run', () => {
    const story = new Story()
    story.submit(1)
    story.pass('> 1')
    story.conflict(2, 1)
    story.submit(2)
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.reasonOf(2)).toBe('START_TEST_RUN_MERGE_CONFLICT')
    expect(story.started).toEqual(['> 1'])
  })

  test('with a predecessor: it waits for that one, left out of the runs behind it', () => {
    const story = new Story({ concurrency: 3 })
    story.conflict(2, 1)
    story.submit(1, 2, 3)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    expect(story.running).toEqual(['> 1', '1 > 3'])
    story.pass('> 1')
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.running).toEqual(['1 > 3'])
  })

  test('with a predecessor that goes: it starts without it', () => {
    const story = new Story({ concurrency: 3 })
    story.conflict(2, 1)
    story.submit(1, 2, 3)
    story.fail('> 1')
    expect(story.stateOf(2)).toBe('TESTING')
    expect(story.running).toEqual(['> 2', '2 > 3'])
  })

  test('in a batch only the member that conflicts leaves, as a group of its own behind', () => {
    const story = new Story({ batch: true, batchingMinSize: 3, concurrency: 2 })
    story.conflict(2, 1)
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 3'])
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    story.pass('> 1 3')
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'FAILED', 'MERGED'])
  })

  test('in a chain: when one is left out, whoever waited for it is free', () => {
    const story = new Story({ concurrency: 6 })
    story.conflict(2, 1)
    story.conflict(3, 2)
    story.conflict(4, 3)
    story.submit(1, 2, 3, 4, 5)
    expect(story.running).toEqual(['> 1', '1 > 3', '1 3 > 5'])
    story.fail('> 1')
    expect(story.running).toEqual(['> 2', '2 > 4', '2 4 > 5'])
    expect(story.stateOf(3)).toBe('PENDING_FAILURE')
  })

  test('that the host finds later: those behind restart without it', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3)
    story.conflict(2, 1)
    story.restart(2)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    expect(story.running).toEqual(['> 1', '1 > 3'])
  })

  test('with something merged stays one when that is submitted again', () => {
    const story = new Story({ concurrency: 1 })
    story.conflict(8, 1)
    story.submit(1)
    story.pass('> 1')
    story.submit(1)
    story.submit(8)
    story.pass('> 1')
    expect(story.reasonOf(8)).toBe('START_TEST_RUN_MERGE_CONFLICT')
  })

  test('an urgent one restarts those who wait for a conflict as well', () => {
    const story = new Story({ concurrency: 3 })
    story.conflict(2, 1)
    story.submit(1, 2)
    story.urgent(9)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    expect(story.running).toEqual(['> 9', '9 > 1'])
  })
})
