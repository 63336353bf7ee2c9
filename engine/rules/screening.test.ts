import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

/** Batches of four: the three below the last are more than a chance of 0.3 admits. */
const settings = {
  policy: 'adaptive',
  concurrency: 4,
  batch: true,
  batchingMinSize: 4,
  batchingMaxWaitTimeMinutes: 0,
} as const

/** So many wait at first that each slot gets a batch of four; those that are in none leave. */
function batches(count: number, more: ConstructorParameters<typeof Story>[0] = {}): Story {
  const story = new Story({ ...settings, concurrency: count, ...more }, { state: 'PAUSED' })
  for (let number = 1; number <= 8 * count; number++) story.submit(number)
  story.update({ state: 'RUNNING' })
  for (let number = 4 * count + 1; number <= 8 * count; number++) story.cancel(number)
  return story
}
const fourBatches = (more: ConstructorParameters<typeof Story>[0] = {}): Story => batches(4, more)

const first = '> 1 2 3 4'
const second = '1 2 3 4 > 5 6 7 8'
const third = '1 2 3 4 5 6 7 8 > 9 10 11 12'
const last = '> 13 14 15 16'

describe('screening', () => {
  // E-190
  test('given a pass alone after all below have left, the group merges without another run', () => {
    const story = fourBatches()
    for (let number = 1; number <= 12; number++) story.cancel(number)
    expect(story.running).toEqual([last])
    story.pass(last)
    expect(story.stateOf(16)).toBe('MERGED')
  })

  // E-190
  test('a pass alone counts for all members together: with fewer, the group is tested alone again', () => {
    const left = fourBatches()
    left.pass(last)
    left.cancel(13)
    expect(left.running).toEqual([first, second, third, '> 14 15 16'])

    const split = fourBatches()
    split.pass(last)
    split.submitAs(15, { noBatch: true })
    expect(split.running).toEqual([first, second, third, '> 13 14'])
  })

  // E-286
  test('given survivors after more than four commits, they are tested alone again', () => {
    const story = batches(9, { canOptimisticallyMerge: true })
    story.fail(first)
    story.pass('> 5 6 7 8')
    story.pass('5 6 7 8 > 9 10 11 12')
    story.pass('bisect > 1 2 3 4')
    expect(story.running).toContain('> 1 2 3 4')
  })

  // E-192
  test('a failure alone steps aside also if the policy says by then that failures are held', () => {
    const story = fourBatches()
    story.update({ policy: 'documented', pendingFailureDepth: 2 })
    story.fail(last)
    expect(story.happened('groupFailed')).toMatchObject([{ aside: true }])
  })

  // E-195, E-226
  test('a held failure waits for a group that is tested alone before it stands on it', () => {
    const story = new Story({ ...settings, pendingFailureDepth: 2 })
    story.submit(101)
    story.fail('> 101')
    story.pass('bisect > 101')
    story.submit(102)
    story.fail('> 102')
    story.fail('bisect > 102')
    story.fail('bisect > 102')
    // One run in six flakes, and one pull request in six breaks: batches of three.
    story.update({ state: 'PAUSED' })
    for (let number = 1; number <= 24; number++) story.submit(number)
    story.update({ state: 'RUNNING' })
    for (let number = 13; number <= 24; number++) story.cancel(number)
    for (const number of [7, 8, 9]) story.cancel(number)
    expect(story.running).toEqual(['> 1 2 3', '1 2 3 > 4 5 6', '> 10 11 12'])
    story.fail('> 1 2 3')
    story.fail('1 2 3 > 4 5 6')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.pass('> 10 11 12')
    expect(story.running).toEqual(['1 2 3 4 5 6 > 10 11 12'])
    story.fail('1 2 3 4 5 6 > 10 11 12')
    expect(story.stateOf(1)).toBe('TESTING')
  })
})
