import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('order and starting', () => {
  test('predictive testing: each run is the tip, everything unmerged ahead, and itself', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
  })

  test('what merged meanwhile is in the tip, and nobody restarts for it', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3)
    story.pass('> 1')
    expect(story.running).toEqual(['1 > 2', '2 > 3'])
    expect(story.happened('groupRestarted')).toEqual([])
  })

  test('concurrency counts runs: no more start than it allows', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    expect(story.stateOf(3)).toBe('PENDING')
  })

  test('groups that passed or failed hold no slot', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3, 4)
    story.pass('1 > 2')
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'TESTS_PASSED', 'TESTING'])
    story.fail('1 2 > 3')
    expect(story.states(3, 4)).toEqual(['PENDING_FAILURE', 'TESTING'])
    expect(story.running).toEqual(['> 1', '1 2 3 > 4'])
  })

  test('the order is priority value, then time of submission', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1)
    story.submitAs(2, { priority: 200 })
    story.submit(3)
    story.submitAs(4, { priority: 10 })
    for (const number of [1, 4, 3, 2]) story.pass(`> ${number}`)
    expect(story.merged).toEqual([1, 4, 3, 2])
  })

  test('a priority decides who starts next; a run under way is not disturbed', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    story.submitAs(3, { priority: 10 })
    expect(story.running).toEqual(['> 1'])
    story.pass('> 1')
    expect(story.running).toEqual(['> 3'])
  })

  test('submitting again rewrites priority and noBatch in place, and restarts nobody', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2, 3)
    story.submitAs(3, { priority: 10 })
    story.submitAs(1, { noBatch: true, priority: 200 })
    expect(story.running).toEqual(['> 1'])
    expect(story.queue.pullRequests[1]).toMatchObject({ priority: 200, noBatch: true })
    story.pass('> 1')
    expect(story.running).toEqual(['> 3'])
  })

  test('a resubmission without a wish keeps what was wished before', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(9)
    story.submitAs(1, { priority: 10, noBatch: true })
    story.submit(1)
    expect(story.queue.pullRequests[1]).toMatchObject({
      priority: 10,
      priorityAsked: true,
      noBatch: true,
    })
  })

  test('submitting again after a terminal state starts over, at a new place', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
    story.submit(2, 3, 1)
    story.pass('> 2')
    story.pass('> 3')
    expect(story.running).toEqual(['> 1'])
    expect(story.queue.pullRequests[1]?.evidence).toBeNull()
  })

  test('more concurrency acts on the next start, less stops nothing', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2, 3)
    story.update({ concurrency: 3 })
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
    story.update({ concurrency: 1 })
    expect(story.running).toHaveLength(3)
  })
})

describe('batches', () => {
  const batching = { batch: true, batchingMinSize: 3, concurrency: 1 }

  test('a batch starts when it is full', () => {
    const story = new Story(batching)
    story.submit(1, 2)
    expect(story.running).toEqual([])
    story.submit(3)
    expect(story.running).toEqual(['> 1 2 3'])
  })

  test('a batch starts when a member has waited the maximum wait', () => {
    const story = new Story(batching)
    story.submit(1)
    story.wait(3)
    story.submit(2)
    story.wait(1.9)
    expect(story.running).toEqual([])
    story.wait(0.1)
    expect(story.running).toEqual(['> 1 2'])
  })

  test('wait 0 starts with whatever is there', () => {
    const story = new Story({ ...batching, batchingMaxWaitTimeMinutes: 0 })
    story.submit(1)
    expect(story.running).toEqual(['> 1'])
  })

  test('those for whom no slot is free go on filling their batch', () => {
    const story = new Story(batching)
    story.submit(1, 2, 3, 4)
    story.wait(60)
    story.submit(5)
    story.pass('> 1 2 3')
    expect(story.running).toEqual(['> 4 5'])
  })

  test('a batch that passes merges all, one commit each, in order', () => {
    const story = new Story(batching)
    story.submit(1, 2, 3)
    story.pass('> 1 2 3')
    expect(story.merged).toEqual([1, 2, 3])
    expect(story.queue.tip.number).toBe(3)
  })

  test('noBatch is tested by itself, at its own place, and restarts nobody', () => {
    const story = new Story({ ...batching, concurrency: 3 })
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    expect(story.running).toEqual(['> 1 2', '1 2 > 3'])
    story.submit(4, 5, 6)
    expect(story.running).toEqual(['> 1 2', '1 2 > 3', '1 2 3 > 4 5 6'])
    expect(story.happened('groupRestarted')).toEqual([])
  })

  test('a noBatch pull request further back does not keep those before it from filling up', () => {
    const story = new Story({ ...batching, concurrency: 1 })
    story.submit(1, 2, 3)
    story.submit(4)
    story.submitAs(5, { noBatch: true })
    story.submitAs(6, { priority: 10 })
    story.pass('> 1 2 3')
    expect(story.running).toEqual(['> 6 4'])
  })

  test('a member that has become noBatch splits off when its batch restarts', () => {
    const story = new Story({ ...batching, concurrency: 4, batchingMinSize: 4 })
    story.submit(9)
    story.wait(5)
    story.submit(1, 2, 3, 4)
    story.submitAs(2, { noBatch: true })
    expect(story.running).toEqual(['> 9', '9 > 1 2 3 4'])
    story.fail('> 9')
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3 4'])
  })

  test('a restarted batch keeps its members and is not refilled', () => {
    const story = new Story({ ...batching, concurrency: 2 })
    story.submit(1, 2, 3, 4)
    story.cancel(2)
    expect(story.running).toEqual(['> 1 3'])
  })

  test('batching off means one pull request per group', () => {
    const story = new Story({ batchingMinSize: 3, concurrency: 1 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1'])
  })

  test('new settings act on the batch that is filling', () => {
    const story = new Story({ batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 10 })
    story.submit(1, 2)
    story.update({ batchingMinSize: 2 })
    expect(story.running).toEqual(['> 1 2'])
    story.submit(3)
    story.wait(3)
    story.update({ batchingMaxWaitTimeMinutes: 4 })
    expect(story.running).toEqual(['> 1 2'])
    story.wait(1)
    expect(story.running).toEqual(['> 1 2', '1 2 > 3'])
    story.submit(4)
    story.update({ batch: false })
    expect(story.running).toEqual(['> 1 2', '1 2 > 3', '1 2 3 > 4'])
  })

  test('a longer wait holds for those who wait already', () => {
    const story = new Story({ batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 2 })
    story.submit(1)
    story.wait(1)
    story.update({ batchingMaxWaitTimeMinutes: 10 })
    story.wait(8.9)
    expect(story.running).toEqual([])
    story.wait(0.1)
    expect(story.running).toEqual(['> 1'])
  })

  test('a smaller target size acts on the next batch', () => {
    const story = new Story(batching)
    story.submit(1, 2, 3, 4, 5)
    story.update({ batchingMinSize: 1 })
    story.pass('> 1 2 3')
    expect(story.running).toEqual(['> 4'])
  })
})
