import { describe, expect, test } from 'vitest'
import { batches, withGoodRecord } from '../testing/batches.ts'

describe('survivors', () => {
  test('merge as soon as they are proven while nothing has moved, with no further run', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.pass('bisect > 1 2')
    expect(story.states(1, 2)).toEqual(['MERGED', 'MERGED'])
    expect(story.running).toEqual(['bisect > 3'])
  })

  test('wait for the end when somebody tests on the tip', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.submitAs(9, { noBatch: true })
    expect(story.running).toEqual(['bisect > 1 2', '> 9'])
    story.pass('bisect > 1 2')
    expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'TESTS_PASSED'])
    expect(story.running).toEqual(['> 9', 'bisect 1 2 > 3'])
  })

  test('merge after all when what tested on the tip has failed', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.submitAs(9, { noBatch: true })
    story.pass('bisect > 1 2')
    story.fail('> 9')
    expect(story.states(1, 2)).toEqual(['MERGED', 'MERGED'])
  })

  test('return when the tip has moved, ahead of everything PENDING', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.send({ type: 'reportPush' })
    story.pass('bisect > 1 2')
    story.pass('bisect 1 2 > 3')
    expect(story.stateOf(4)).toBe('FAILED')
    expect(story.running).toEqual(['> 1 2 3'])
    story.submit(5, 6, 7, 8)
    story.pass('> 1 2 3')
    expect(story.merged.slice(-3)).toEqual([1, 2, 3])
  })

  test('without optimistic merging an earlier failure holds them back', () => {
    const story = batches(2, { bisectionConcurrency: 2 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2')
    story.fail('> 3 4')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 3'])
    story.pass('bisect > 3')
    expect(story.stateOf(4)).toBe('FAILED')
    expect(story.running).toEqual(['bisect > 1', '> 3'])
    story.pass('> 3')
    expect(story.stateOf(3)).toBe('TESTS_PASSED')
    story.fail('bisect > 1')
    expect(story.merged).toEqual([])
    story.pass('bisect > 2')
    expect(story.merged).toEqual([3])
    expect(story.running).toEqual(['> 2'])
  })
})

describe('a member that leaves', () => {
  test('voids every verdict that held it, and what it held up is proven anew', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.submitAs(9, { noBatch: true })
    story.pass('bisect > 1 2')
    expect(story.stateOf(2)).toBe('TESTS_PASSED')
    story.cancel(1)
    expect(story.states(1, 2, 3, 4)).toEqual(['CANCELLED', 'TESTING', 'TESTING', 'TESTING'])
    expect(story.running).toEqual(['> 9', 'bisect > 2 3 4'])
  })

  test('that is still open only shortens what is left to decide', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.cancel(4)
    expect(story.running).toEqual(['bisect > 1 2'])
    story.pass('bisect > 1 2')
    expect(story.running).toEqual(['bisect > 3'])
    story.pass('bisect > 3')
    expect(story.merged.slice(-3)).toEqual([1, 2, 3])
  })

  test('cancels a run that holds it', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.cancel(2)
    expect(story.running).toEqual(['bisect > 1 3 4'])
  })

  test('may be the last one: the bisection ends', () => {
    const story = batches(2)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.cancel(1)
    story.cancel(2)
    expect(story.queue.bisections).toEqual([])
    expect(story.running).toEqual([])
  })
})
