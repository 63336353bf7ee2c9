import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('in parallel mode', () => {
  // E-88, E-114
  test('members that are proven later merge behind those proven before', () => {
    const targets = { 1: ['a'], 2: ['a'], 3: ['a'], 4: ['a'], 5: ['a'] }
    const batching = { batch: true, batchingMinSize: 5, bisectionConcurrency: 1 }
    const story = lanes(targets, batching, { codeHost: 'answers' })
    story.submit(1, 2, 3, 4, 5)
    story.fail('> 1 2 3 4 5')
    while (story.running.length > 0) story.pass(story.running[0] ?? '')
    expect(story.happened('membersProven').length).toBeGreaterThan(2)
    expect(story.requestedMerges).toEqual([1])
    const inLine = story.queue.line.flatMap((id) => story.queue.groups[id]?.members ?? [])
    expect(inLine).toEqual([1, 2, 3, 4])
    for (const number of [1, 2, 3, 4]) story.answerMerge(number)
    expect(story.requestedMerges).toEqual([1, 2, 3, 4])
  })

  // E-88, E-153
  test('survivors of a bisection wait for an earlier one that shares a target, and for no other', () => {
    const merged = (target: string): number[] => {
      const targets = { 1: ['a'], 2: ['a'], 3: [target], 4: [target] }
      const story = lanes(targets, { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 })
      story.submit(1, 2)
      story.fail('> 1 2')
      story.submit(3, 4)
      story.fail('> 3 4')
      story.update({ bisectionConcurrency: 2 })
      story.pass('bisect > 3')
      return story.merged
    }
    expect(merged('a')).toEqual([])
    expect(merged('b')).toEqual([3])
  })

  // E-93, E-188
  test('a failure that steps aside holds up nobody in another lane', () => {
    const targets = { 1: ['a'], 2: ['a'], 3: ['b'], 4: ['a'] }
    const story = lanes(targets, { policy: 'adaptive' })
    story.submit(1, 2, 3, 4)
    story.fail('1 > 2')
    story.pass('> 3')
    expect(story.states(2, 3)).toEqual(['PENDING_FAILURE', 'MERGED'])
    story.pass('1 > 4')
    expect(story.states(1, 4)).toEqual(['TESTING', 'TESTS_PASSED'])
  })
})

describe('a group whose merging has begun', () => {
  // E-46, E-99
  test('goes on in a PAUSED queue after a person has merged its next member', () => {
    const batching = { batch: true, batchingMinSize: 3 }
    const story = new Story(batching, { codeHost: 'answers' })
    story.submit(1, 2, 3)
    story.pass('> 1 2 3')
    story.answerMerge(1)
    story.update({ state: 'PAUSED' })
    story.send({ type: 'reportManualMerge', number: 2 })
    expect(story.requestedMerges).toEqual([1, 2, 3])
  })
})

describe('a request', () => {
  // E-106, E-108
  test('to restart a pull request that has left is refused as one about a stranger', () => {
    const story = new Story()
    story.submit(1)
    story.pass('> 1')
    expect(story.restart(1)).toEqual({ code: 'not in queue', number: 1 })
    expect(story.restart(2)).toEqual({ code: 'not in queue', number: 2 })
  })

  test('to change the state of the queue configures nothing', () => {
    const story = new Story()
    story.update({ state: 'PAUSED' })
    expect(story.happened('queueConfigured')).toEqual([])
    story.update({ concurrency: 2 })
    expect(story.happened('queueConfigured')).toMatchObject([{ set: { concurrency: 2 } }])
  })
})

describe('a direct merge', () => {
  const settings = { directMergeMode: 'always' } as const

  // E-208
  test('that the code host refuses is tested instead', () => {
    const story = new Story(settings, { codeHost: 'answers' })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.running).toEqual(['> 1'])
    expect(story.happened('groupRestarted')).toMatchObject([
      { reason: 'TESTS_RESTARTED_BY_API_REQUEST' },
    ])
  })

  // E-40
  test('of one that impacts all targets waits for a single group in the line', () => {
    const story = lanes({ 1: ['a'], 2: 'ALL' }, settings)
    story.submit(1)
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.submit(2)
    expect(story.merged).toEqual([])
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })
})

describe('a wake-up', () => {
  test('is requested once for the same instant', () => {
    const story = new Story({ concurrency: 1, testingTimeoutMinutes: 10 })
    story.submit(1, 2, 3)
    story.cancel(3)
    expect(story.happened('wakeScheduled')).toMatchObject([{ wakeAt: 600_000 }])
  })
})

describe('the line', () => {
  // E-194
  test('given a failure aside that is the last already, restarts it where it is', () => {
    const story = new Story({ concurrency: 4, policy: 'adaptive' })
    story.submit(1, 2, 3)
    story.fail('1 2 > 3')
    story.cancel(1)
    expect(story.running).toEqual(['> 2', '2 > 3'])
    expect(story.happened('groupMoved')).toEqual([])
  })
})

describe('an urgent pull request', () => {
  test('that is first already is moved nowhere', () => {
    const story = new Story({ concurrency: 2 })
    story.urgent(1)
    story.submit(2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    expect(story.happened('groupMoved')).toEqual([])
  })
})

describe('a hold', () => {
  // E-63
  test('ends in time also after the timeout has become shorter', () => {
    const story = new Story({ concurrency: 2, pendingFailureDepth: 1, testingTimeoutMinutes: 60 })
    story.submit(1, 2)
    story.update({ state: 'PAUSED', testingTimeoutMinutes: 10 })
    story.restart(2)
    story.fail('> 1')
    story.wait(9)
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.wait(1)
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-63
  test('counts a verdict for the group whose run gave it, and not for those that it cleared', () => {
    const settings = { concurrency: 4, pendingFailureDepth: 2, canOptimisticallyMerge: true }
    const story = new Story(settings, { codeHost: 'answers' })
    story.submit(1, 2, 3)
    story.update({ state: 'PAUSED' })
    story.pass('1 2 > 3')
    expect(story.states(1, 2, 3)).toEqual(['TESTS_PASSED', 'TESTS_PASSED', 'TESTS_PASSED'])
    story.restart(1)
    story.update({ state: 'RUNNING' })
    story.submit(4)
    expect(story.running).toEqual(['> 1', '1 2 3 > 4'])
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.fail('1 2 3 > 4')
    expect(story.stateOf(1)).toBe('FAILED')
  })
})
