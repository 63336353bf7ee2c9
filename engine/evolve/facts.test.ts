/** What the state keeps of a pull request, beside what the next commands show. */

import { describe, expect, test } from 'vitest'
import { batches, Story } from '../testing/story.ts'

describe('a bisection', () => {
  // E-87
  test('counts as a flake for its survivors only if nobody was convicted or left', () => {
    const returns = (culprit: boolean): unknown[] => {
      const story = batches(2, { policy: 'adaptive' })
      story.submitTogether(1, 2)
      story.fail('> 1 2')
      story.send({ type: 'reportPush' })
      story.pass('bisect > 1')
      if (culprit) story.fail('bisect 1 > 2')
      else story.pass('bisect 1 > 2')
      return [1, 2].map((number) => story.queue.pullRequests[number]?.flakeReturns)
    }
    expect(returns(false)).toEqual([1, 1])
    expect(returns(true)).toEqual([0, 0])
  })

  // E-193
  test('of a batch that was overtaken begins without its verdict', () => {
    const settings = { concurrency: 3, policy: 'adaptive', canOptimisticallyMerge: true } as const
    const story = batches(2, settings)
    story.submitTogether(1, 2, 3, 4, 5, 6)
    story.fail('1 2 > 3 4')
    story.pass('1 2 > 5 6')
    expect(story.merged).toEqual([1, 2, 5, 6])
    expect(story.happened('bisectionStarted')).toMatchObject([{ members: [3, 4], overtaken: true }])
    expect(story.queue.bisections).toMatchObject([{ runsSpent: 1, verdicts: {} }])
  })

  // E-142, E-202
  test('keeps the failure of the batch when its second look is lost, though a member is doubtful', () => {
    const story = batches(2, { bisectionConcurrency: 3, policy: 'adaptive' })
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2'])
    story.fail('bisect > 1')
    story.error('bisect > 1 2')
    const [bisection] = story.queue.bisections
    expect(bisection?.retries).toEqual([])
    expect(story.running).toEqual(['bisect > 1'])
  })
})

describe('a pull request', () => {
  test('forgets that run when a person merges it, and a stored cancel when it has left', () => {
    const story = new Story({ concurrency: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('1 > 2')
    story.send({ type: 'reportManualMerge', number: 2 })
    expect(story.queue.pullRequests[2]).toMatchObject({ state: 'MERGED', verifiedBy: null })
    const [run = ''] = story.running
    story.pass(run)
    story.cancel(1)
    expect(story.queue.pullRequests[1]?.leavingFor).toBe('USER_REQUESTED')
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.queue.pullRequests[1]).toMatchObject({ state: 'CANCELLED', leavingFor: null })
  })
})
