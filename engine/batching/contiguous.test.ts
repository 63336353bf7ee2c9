import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('batches in single mode', () => {
  const batching = { batch: true, batchingMinSize: 3, concurrency: 1 }

  // E-30, E-31, E-32
  test('a batch ends at a noBatch pull request: those behind it batch among themselves', () => {
    const story = new Story({ ...batching, concurrency: 3 })
    story.submit(1)
    expect(story.running).toEqual([])
    story.submitAs(2, { noBatch: true })
    expect(story.running).toEqual(['> 1', '1 > 2'])
    story.submit(3, 4)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    story.submit(5)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3 4 5'])
  })

  // E-32
  test('nobody that was submitted later merges before a noBatch pull request, except by priority', () => {
    const story = new Story({ ...batching, concurrency: 1, batchingMinSize: 2 })
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    story.submit(4, 5)
    story.submitAs(6, { priority: 10 })
    for (const run of ['> 1 2', '> 6', '> 3', '> 4 5']) story.pass(run)
    expect(story.merged).toEqual([1, 2, 6, 3, 4, 5])
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
