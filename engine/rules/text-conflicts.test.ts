import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('a text conflict', () => {
  // E-66
  test('with the tip makes the pull request FAILED through TESTING, without a run', () => {
    const story = new Story()
    story.submit(1)
    story.pass('> 1')
    story.conflict(2, 1)
    story.submit(2)
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.reasonOf(2)).toBe('START_TEST_RUN_MERGE_CONFLICT')
    expect(story.started).toEqual(['> 1'])
  })

  // E-68
  test('with a predecessor that leaves lets it start without that one', () => {
    const story = new Story({ concurrency: 3 })
    story.conflict(2, 1)
    story.submit(1, 2, 3)
    story.fail('> 1')
    expect(story.stateOf(2)).toBe('TESTING')
    expect(story.running).toEqual(['> 2', '2 > 3'])
  })

  // E-69
  test('in a batch moves only the conflicting member to a separate group behind', () => {
    const story = new Story({ batch: true, batchingMinSize: 3, concurrency: 2 })
    story.conflict(2, 1)
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 3'])
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    story.pass('> 1 3')
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'FAILED', 'MERGED'])
  })

  // E-69
  test('reported late puts a member behind those that left its batch before and are ahead of it', () => {
    const story = new Story({ batch: true, batchingMinSize: 4, concurrency: 1 })
    story.conflict(3, 1)
    story.submit(1, 2, 3, 4)
    story.conflict(4, 1)
    story.conflict(2, 1)
    story.restart(1)
    const order = story.queue.line.map((id) => story.queue.groups[id]?.members)
    expect(order).toEqual([[1], [2], [3], [4]])
  })

  // E-67
  test('that is reported later restarts the groups behind without it', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3)
    story.conflict(2, 1)
    story.restart(2)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    expect(story.running).toEqual(['> 1', '1 > 3'])
  })
})
