import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'

describe('batches in parallel mode', () => {
  const batching = { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5 }

  // E-121
  test('a noBatch pull request starts as soon as none ahead shares a target with it', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a', 'b'] }, { ...batching, batchingMinSize: 3 })
    story.submit(1)
    story.submitAs(2, { noBatch: true })
    expect(story.running).toEqual(['> 2'])
    story.submit(3)
    story.wait(5)
    expect(story.running).toEqual(['> 2', '2 > 1 3'])
  })

  // E-97
  test('a pull request with ALL joins any batch, and any pull request joins its batch', () => {
    const story = lanes({ 1: ['a'], 2: 'ALL', 3: ['b'] }, { ...batching, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 2 3'])
  })
})
