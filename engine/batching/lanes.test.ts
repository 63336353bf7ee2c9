import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'

describe('batches in parallel mode', () => {
  const batching = { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5 }

  test('take those that share a target with any member, and leave others to their own', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'], 4: ['b'] }, batching)
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 3'])
    story.submit(4)
    expect(story.running).toEqual(['> 1 3', '> 2 4'])
  })

  test('nobody joins who shares a target with somebody who was skipped', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a', 'b'] }, batching)
    story.submit(1, 2)
    expect(story.running).toEqual([])
    story.submit(3)
    expect(story.running).toEqual(['> 1', '1 > 2 3'])
  })

  test('noBatch cuts off the batch it shares a target with, and no other', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'] }, { ...batching, batchingMinSize: 4 })
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    expect(story.running).toEqual(['> 1', '1 > 3'])
    story.wait(5)
    expect(story.running).toEqual(['> 1', '1 > 3', '> 2'])
  })

  test('ALL joins anybody, and anybody joins it', () => {
    const story = lanes({ 1: ['a'], 2: 'ALL', 3: ['b'] }, { ...batching, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 2 3'])
  })

  test('each batch waits no longer than the maximum wait of its own members', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] }, batching)
    story.submit(1)
    story.wait(3)
    story.submit(2)
    story.wait(2)
    expect(story.running).toEqual(['> 1'])
    story.wait(3)
    expect(story.running).toEqual(['> 1', '> 2'])
  })
})
