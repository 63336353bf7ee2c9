import { describe, expect, test } from 'vitest'
import { lanes, Story, batches } from '../testing/story.ts'

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

describe('batches that grow', () => {
  // E-225
  test('a batch holds what each slot gets of those that wait', () => {
    const story = batches(16, { ...growing, concurrency: 2 })
    story.submitTogether(1, 2, 3, 4)
    story.submit(5, 6, 7, 8, 9, 10, 11)
    story.pass('> 1 2')
    expect(story.running).toEqual(['1 2 > 3 4', '3 4 > 5 6 7'])
    story.pass('1 2 > 3 4')
    expect(story.running).toEqual(['3 4 > 5 6 7', '5 6 7 > 8 9'])
  })

  const growing = { policy: 'adaptive' } as const

  // E-285
  test('no batch waits while at most one pull request is in the line', () => {
    const story = batches(16, { ...growing, concurrency: 3 })
    story.submit(1)
    story.submit(2)
    story.submit(3)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    story.pass('> 1')
    expect(story.running).toEqual(['1 > 2', '2 > 3'])
  })

  // E-225
  test('the target size limits a batch also if it is one', () => {
    const story = batches(1, growing)
    story.submit(1, 2)
    expect(story.running).toEqual(['> 1'])
  })
})
