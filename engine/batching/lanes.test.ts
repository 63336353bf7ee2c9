import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'

describe('batches in parallel mode', () => {
  const batching = { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5 }

  // E-97
  test('take pull requests that share a target with a member; the others form their own batch', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'], 4: ['b'] }, batching)
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 3'])
    story.submit(4)
    expect(story.running).toEqual(['> 1 3', '> 2 4'])
  })

  // E-97
  test('a pull request that shares a target with a skipped one does not join', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a', 'b'] }, batching)
    story.submit(1, 2)
    expect(story.running).toEqual([])
    story.submit(3)
    expect(story.running).toEqual(['> 1', '1 > 2 3'])
  })

  // E-121
  test('a noBatch pull request ends the batch with which it shares a target, and no other', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'], 4: ['a'] }, batching)
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    expect(story.running).toEqual(['> 1', '1 > 3'])
    story.submit(4)
    expect(story.running).toEqual(['> 1', '1 > 3'])
    story.wait(5)
    expect(story.running).toEqual(['> 1', '1 > 3', '> 2', '1 3 > 4'])
  })

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
  test('the first that shares a target with a member and cannot join ends the batch', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a', 'b'] }, { ...batching, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1'])
    story.wait(5)
    expect(story.running).toEqual(['> 1', '1 > 2 3'])
  })

  // E-97
  test('a pull request with ALL joins any batch, and any pull request joins its batch', () => {
    const story = lanes({ 1: ['a'], 2: 'ALL', 3: ['b'] }, { ...batching, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 2 3'])
  })

  // E-97
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
