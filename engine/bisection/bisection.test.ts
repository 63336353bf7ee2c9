import { describe, expect, test } from 'vitest'
import { batches, withGoodRecord } from '../testing/batches.ts'

describe('a failed batch', () => {
  test('loses only its culprit: AB passes, ABCD is not run again, ABC fails', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    expect(story.running).toEqual(['bisect > 1 2'])
    story.pass('bisect > 1 2')
    expect(story.running).toEqual(['bisect > 3'])
    story.fail('bisect > 3')
    expect(story.stateOf(3)).toBe('FAILED')
    story.pass('bisect > 4')
    expect(story.states(1, 2, 3, 4)).toEqual(['MERGED', 'MERGED', 'FAILED', 'MERGED'])
    expect(story.happened('testRunSaved')).toHaveLength(1)
  })

  test('goes on inside the first half when that fails', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.fail('bisect > 1 2')
    expect(story.running).toEqual(['bisect > 1'])
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['bisect > 2 3 4'])
    story.pass('bisect > 2 3 4')
    expect(story.merged.slice(-3)).toEqual([2, 3, 4])
  })

  test('convicts by elimination: what is left of a failing range needs no run', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4', 'a test')
    story.pass('bisect > 1 2')
    story.pass('bisect > 3')
    expect(story.stateOf(4)).toBe('FAILED')
    expect(story.reasonOf(4)).toBe('TEST_RUN_FAILED_BY_OPTIMIZATION')
    const evidence = story.queue.pullRequests[4]?.evidence
    const batchRun = story.happened('groupFailed')[0]?.testRun
    const withoutIt = story.happened('membersProven')[1]?.run.id
    expect(evidence).toMatchObject({ failedIn: batchRun, passedWithout: withoutIt })
    expect(story.happened('testRunSaved')).toHaveLength(2)
  })

  test('members are PENDING until the first run of their bisection, then TESTING until decided', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.update({ state: 'PAUSED' })
    story.fail('> 1 2 3 4')
    expect(story.states(1, 4)).toEqual(['PENDING', 'PENDING'])
    expect(story.reasonOf(1)).toBe('BISECTION_REQUIRED')
    story.update({ state: 'RUNNING' })
    expect(story.states(1, 2, 3, 4)).toEqual(['TESTING', 'TESTING', 'TESTING', 'TESTING'])
    expect(story.running).toEqual(['bisect > 1 2'])
  })

  test('never costs more than 2n - 1 runs, its own included', () => {
    const story = batches(8)
    story.submit(1, 2, 3, 4, 5, 6, 7, 8)
    story.fail('> 1 2 3 4 5 6 7 8')
    while (story.running.length > 0) story.fail(story.running[0] ?? '')
    expect(story.started.length).toBeLessThanOrEqual(15)
    expect(story.stateOf(8)).toBe('FAILED')
  })

  test('bisection runs have slots of their own, beside a full main line', () => {
    const story = batches(2, { concurrency: 2, bisectionConcurrency: 2 })
    story.submit(1, 2, 3, 4, 5, 6)
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1', '> 3 4', '3 4 > 5 6'])
  })

  test('the main line runs on without it, and its survivors return behind', () => {
    const story = batches(2)
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1', '> 3 4'])
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.stateOf(1)).toBe('PENDING')
    expect(story.reasonOf(1)).toBe('BISECTION_TEST_RUN_PASSED')
    story.submit(5, 6)
    story.pass('> 3 4')
    expect(story.running).toEqual(['> 1'])
    story.pass('> 1')
    expect(story.merged).toEqual([3, 4, 1])
  })
})

describe('several free slots', () => {
  test('with n - 1 slots one round decides', () => {
    const story = batches(4, { bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2', 'bisect > 1 2 3'])
    story.pass('bisect > 1')
    story.fail('bisect > 1 2')
    expect(story.stateOf(2)).toBe('TESTING')
    story.fail('bisect > 1 2 3')
    expect(story.stateOf(2)).toBe('FAILED')
  })

  test('the longest passing prefix is proven, whatever shorter ones said', () => {
    const story = batches(4, { bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.fail('bisect > 1')
    story.pass('bisect > 1 2')
    story.fail('bisect > 1 2 3')
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'MERGED', 'FAILED'])
    expect(story.happened('verdictContradicted')).toHaveLength(1)
  })

  test('a run that can change nothing any more is not waited for, and not cancelled', () => {
    const story = batches(4, { bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.pass('bisect > 1 2 3')
    expect(story.stateOf(4)).toBe('FAILED')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2'])
    expect(story.happened('testRunCancelled')).toEqual([])
  })

  test('a rest not known to fail counts itself among the prefixes', () => {
    const story = batches(4, { bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.fail('bisect > 1')
    story.fail('bisect > 1 2')
    story.fail('bisect > 1 2 3')
    expect(story.running).toEqual(['bisect > 2', 'bisect > 2 3', 'bisect > 2 3 4'])
  })

  test('fewer of them stop nothing that runs, and act on the next start', () => {
    const story = batches(4, { bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.update({ bisectionConcurrency: 1 })
    expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2', 'bisect > 1 2 3'])
    for (const run of story.running) story.fail(run)
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['bisect > 2'])
  })

  test('all bisections of the queue share the slots, the earliest first', () => {
    const story = batches(2, { bisectionConcurrency: 1, canOptimisticallyMerge: true })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2')
    story.fail('> 3 4')
    expect(story.running).toEqual(['bisect > 1'])
    story.pass('bisect > 1')
    expect(story.running).toContain('bisect > 3')
  })
})

describe('a bisection run', () => {
  test('that is lost is made again, and the search waits for it', () => {
    const story = batches(2)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.error('bisect > 1')
    expect(story.running).toEqual([])
    expect(story.stateOf(1)).toBe('TESTING')
    story.wait(1)
    expect(story.running).toEqual(['bisect > 1'])
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  test('is repeated on request, and nothing known is forgotten', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.fail('bisect > 1 2')
    expect(story.restart(1)).toBeNull()
    expect(story.running).toEqual(['bisect > 1'])
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('FAILED')
  })

  test('that does not hold the pull request is not repeated for it', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    expect(story.restart(4)).toEqual({ code: 'nothing to restart', number: 4, state: 'TESTING' })
  })

  test('of a departed member is not made again after an error', () => {
    const story = batches(2)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.error('bisect > 1')
    story.cancel(1)
    expect(story.running).toEqual(['bisect > 2'])
  })
})
