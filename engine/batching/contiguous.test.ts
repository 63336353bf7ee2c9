import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('batches in single mode', () => {
  const batching = { batch: true, batchingMinSize: 3, concurrency: 1 }

  // E-30, E-31, E-32
  test('a noBatch pull request ends no batch: those behind it join the batch ahead of it', () => {
    const story = new Story({ ...batching, concurrency: 2 })
    story.submit(1)
    story.submitAs(2, { noBatch: true })
    story.submit(3)
    expect(story.running).toEqual([])
    story.submit(4)
    expect(story.running).toEqual(['> 1 3 4', '1 3 4 > 2'])
  })

  // E-8, E-31, E-32
  test('a noBatch pull request waits for the batch ahead, whose members alone end the wait', () => {
    const story = new Story({ ...batching, concurrency: 2 })
    story.submitAs(1, { priority: 200, noBatch: true })
    story.submit(2, 3, 4)
    expect(story.running).toEqual(['> 1', '1 > 2 3 4'])
    story.submitAs(5, { priority: 200, noBatch: true })
    story.wait(3)
    story.submit(6)
    story.wait(3)
    story.pass('> 1')
    story.pass('1 > 2 3 4')
    expect(story.running).toEqual([])
    story.wait(1.9)
    expect(story.running).toEqual([])
    story.wait(0.1)
    expect(story.running).toEqual(['> 6', '6 > 5'])
  })

  // E-32
  test('a noBatch pull request at the head starts before the batch behind it', () => {
    const story = new Story({ ...batching, concurrency: 1 })
    story.submit(1, 2, 3)
    story.submitAs(4, { noBatch: true })
    story.submit(5, 6, 7)
    story.pass('> 1 2 3')
    expect(story.running).toEqual(['> 4'])
  })
})
