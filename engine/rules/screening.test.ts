import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

/** Six wait for a batch of six at once, so twelve below are more than a chance of 0.3 admits. */
const batches = { batch: true, batchingMinSize: 6, batchingMaxWaitTimeMinutes: 0, concurrency: 3 }

function threeBatches(more: ConstructorParameters<typeof Story>[0] = {}): Story {
  const story = new Story({ ...batches, screening: true, ...more }, { state: 'PAUSED' })
  for (let number = 1; number <= 18; number++) story.submit(number)
  story.update({ state: 'RUNNING' })
  return story
}
const first = '> 1 2 3 4 5 6'
const second = '1 2 3 4 5 6 > 7 8 9 10 11 12'
const third = '> 13 14 15 16 17 18'
const thirdOnTop = '1 2 3 4 5 6 7 8 9 10 11 12 > 13 14 15 16 17 18'

/** Four batches with optimistic merging: the first has passed, and the last two have been screened. */
function lastTwoScreened(): Story {
  const story = new Story(
    { ...batches, concurrency: 4, screening: true, canOptimisticallyMerge: true },
    { state: 'PAUSED' },
  )
  for (let number = 1; number <= 24; number++) story.submit(number)
  story.update({ state: 'RUNNING' })
  story.pass(third)
  story.pass('> 19 20 21 22 23 24')
  story.pass(first)
  return story
}

describe('screening', () => {
  // E-189
  test('is off by default: every group is tested on top of its predecessors', () => {
    expect(threeBatches({ screening: false }).running).toEqual([first, second, thirdOnTop])
  })

  // E-189
  test('given twelve below that will probably not all pass, tests the group alone', () => {
    const story = threeBatches()
    expect(story.running).toEqual([first, second, third])
    expect(story.queue.testRuns[3]).toMatchObject({ screening: true, base: [] })
    expect(story.queue.testRuns[2]).not.toHaveProperty('screening')
  })

  // E-190
  test('given a pass alone, the group waits until those below are likely to pass', () => {
    const story = threeBatches()
    story.pass(third)
    expect(story.stateOf(13)).toBe('PENDING')
    expect(story.reasonOf(13)).toBe('SCREENING_TEST_RUN_PASSED')
    expect(story.running).toEqual([first, second])
    story.pass(first)
    expect(story.running).toEqual([second, '7 8 9 10 11 12 > 13 14 15 16 17 18'])
  })

  // E-190
  test('given a pass alone after all below have left, the group merges without another run', () => {
    const story = threeBatches()
    for (let number = 1; number <= 12; number++) story.cancel(number)
    expect(story.running).toEqual([third])
    story.pass(third)
    expect(story.stateOf(18)).toBe('MERGED')
  })

  // E-191
  test('with optimistic merging, the run of the last of two screened groups clears both', () => {
    const story = lastTwoScreened()
    expect(story.running).toEqual([second, '7 8 9 10 11 12 13 14 15 16 17 18 > 19 20 21 22 23 24'])
    story.pass('7 8 9 10 11 12 13 14 15 16 17 18 > 19 20 21 22 23 24')
    expect(story.states(7, 13, 24)).toEqual(['MERGED', 'MERGED', 'MERGED'])
  })

  // E-191
  test('with optimistic merging, a screened group does not wait for one that repeats a lost run', () => {
    const story = lastTwoScreened()
    story.error('7 8 9 10 11 12 13 14 15 16 17 18 > 19 20 21 22 23 24')
    expect(story.running).toEqual([second, '7 8 9 10 11 12 > 13 14 15 16 17 18'])
  })

  // E-190
  test('a pass alone counts for all members together: with fewer, the group is tested alone again', () => {
    const left = threeBatches()
    left.pass(third)
    left.cancel(13)
    expect(left.running).toEqual([first, second, '> 14 15 16 17 18'])

    const split = threeBatches()
    split.pass(third)
    split.submitAs(15, { noBatch: true })
    expect(split.running).toEqual([first, second, '> 13 14'])
  })

  // E-192, E-193
  test('given a failure alone, the batch is bisected when those below have merged', () => {
    const story = threeBatches()
    story.fail(third)
    expect(story.stateOf(13)).toBe('PENDING_FAILURE')
    story.pass(first)
    expect(story.stateOf(13)).toBe('PENDING_FAILURE')
    story.pass(second)
    expect(story.stateOf(13)).toBe('TESTING')
    expect(story.queue.bisections).toMatchObject([{ open: [13, 14, 15, 16, 17, 18], verdicts: {} }])
  })

  // E-193
  test('given a single pull request that failed alone and was overtaken, it is tested again', () => {
    const story = new Story({ ...batches, screening: true }, { state: 'PAUSED' })
    for (let number = 1; number <= 13; number++) story.submit(number)
    story.update({ state: 'RUNNING' })
    story.fail('> 13')
    story.pass(first)
    story.pass(second)
    expect(story.stateOf(13)).toBe('TESTING')
    expect(story.running).toEqual(['> 13'])
    story.fail('> 13')
    expect(story.stateOf(13)).toBe('FAILED')
  })

  // E-195
  test('a held failure waits for a group that is tested alone before it stands on it', () => {
    const story = threeBatches({ pendingFailureDepth: 2 })
    story.fail(first)
    story.fail(second)
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.pass(third)
    expect(story.running).toEqual([thirdOnTop])
    story.fail(thirdOnTop)
    expect(story.queue.bisections).toHaveLength(1)
  })
})
