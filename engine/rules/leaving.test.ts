import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('cancelling', () => {
  // E-105
  test('restarts the rest of its batch', () => {
    const story = new Story({ batch: true, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    story.cancel(1)
    expect(story.running).toEqual(['> 2 3'])
  })

  // E-106
  test('a pull request that is not in the queue is rejected', () => {
    const story = new Story()
    expect(story.cancel(1)).toEqual({ code: 'not in queue', number: 1 })
    story.submit(1)
    story.pass('> 1')
    expect(story.cancel(1)).toEqual({ code: 'not in queue', number: 1 })
    expect(story.stateOf(1)).toBe('MERGED')
  })
})

describe('restarting tests by request', () => {
  // E-107
  test('repeats the run in place; no other group restarts', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    expect(story.restart(1)).toBeNull()
    expect(story.running).toEqual(['1 > 2', '> 1'])
    expect(story.happened('testRunCancelled')).toHaveLength(1)
  })

  // E-106, E-108
  test('is rejected if there is no run to restart', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    expect(story.restart(2)).toEqual({ code: 'nothing to restart', number: 2, state: 'PENDING' })
    expect(story.restart(7)).toEqual({ code: 'not in queue', number: 7 })
    story.error('> 1')
    expect(story.restart(1)).toEqual({ code: 'nothing to restart', number: 1, state: 'PENDING' })
  })

  // E-108
  test('is rejected while its merge is in progress', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1)
    story.pass('> 1')
    expect(story.restart(1)).toEqual({ code: 'merge under way', number: 1 })
  })
})

describe('a push to the target branch', () => {
  // E-109
  test('restarts every group in the line on the new tip, also groups that passed or failed', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.pass('1 > 2')
    story.fail('1 2 > 3')
    story.send({ type: 'reportPush' })
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
    expect(story.states(1, 2, 3, 4)).toEqual(['TESTING', 'TESTING', 'TESTING', 'PENDING'])
    expect(Object.values(story.queue.testRuns).map(({ tip }) => tip)).toEqual([1, 1, 1])
  })

  // E-72, E-109
  test('keeps bisections pinned to the tip on which their batch failed', () => {
    const story = new Story({ batch: true, batchingMinSize: 2, bisectionConcurrency: 1 })
    story.submit(1, 2)
    story.fail('> 1 2')
    story.send({ type: 'reportPush' })
    expect(story.running).toEqual(['bisect > 1'])
    expect(story.happened('testRunCancelled')).toEqual([])
  })
})

describe('a manual merge on the code host', () => {
  // E-110
  test('of a pull request with a text conflict is a push too: the runs behind leave it out', () => {
    const story = lanes(
      { 1: ['docs'], 2: ['core'], 3: ['web'], 4: 'ALL', 5: ['web'] },
      { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 1 },
    )
    story.conflict(3, 2)
    story.conflict(4, 1)
    story.submit(1)
    story.wait(1)
    story.submit(2)
    story.wait(1)
    story.submit(3, 4)
    expect(story.states(3, 4)).toEqual(['PENDING_FAILURE', 'PENDING_FAILURE'])
    story.submit(5)
    story.wait(1)
    story.send({ type: 'reportManualMerge', number: 3 })
    expect(story.started.filter((run) => run === '> 5')).toHaveLength(2)
  })

  // E-110
  test('of the next pull request to merge restarts nothing: the runs behind contain the branch', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2)
    story.send({ type: 'reportManualMerge', number: 1 })
    expect(story.stateOf(1)).toBe('MERGED')
    expect(story.reasonOf(1)).toBe('MANUAL_MERGE')
    expect(story.running).toEqual(['1 > 2'])
    story.pass('1 > 2')
    expect(story.merged).toEqual([1, 2])
  })

  // E-110
  test('is accepted while the pull request waits or is bisected', () => {
    const story = new Story({ batch: true, batchingMinSize: 2, bisectionConcurrency: 1 })
    story.submit(1, 2, 3)
    story.fail('> 1 2')
    story.send({ type: 'reportManualMerge', number: 1 })
    expect(story.running).toEqual(['bisect > 2'])
    story.send({ type: 'reportManualMerge', number: 3 })
    expect(story.merged).toEqual([1, 3])
    expect(story.send({ type: 'reportManualMerge', number: 3 })).toEqual({
      code: 'not in queue',
      number: 3,
    })
  })
})
