import { describe, expect, test } from 'vitest'
import { Story, lanes } from '../testing/story.ts'
import type { Configuration } from '../model/configuration.ts'
import type { PullRequestNumber } from '../model/state.ts'

describe('merging through a code host that answers', () => {
  // E-10, E-43
  test('a batch merges one pull request after the other, in order', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    expect(story.requestedMerges).toEqual([1])
    story.answerMerge(1)
    expect(story.requestedMerges).toEqual([1, 2])
    story.answerMerge(2)
    expect(story.merged).toEqual([1, 2])
  })

  // E-48
  test('a run that starts during a merge contains the pull request that is being merged', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1)
    story.pass('> 1')
    story.submit(2)
    expect(story.running).toEqual(['1 > 2'])
    story.answerMerge(1)
    expect(story.happened('groupRestarted')).toEqual([])
  })

  // E-46
  test('a new submission withdraws a cancel during its own merge', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1)
    story.pass('> 1')
    story.cancel(1)
    story.submit(1)
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.reasonOf(1)).toBe('GITHUB_API_MERGE_PR_FAILED')
  })

  // E-10
  test('an answer to a merge that was not requested is rejected', () => {
    const story = new Story({}, { codeHost: 'answers' })
    expect(story.answerMerge(1)).toEqual({ code: 'no merge under way', number: 1 })
    story.submit(1)
    expect(story.answerMerge(1)).toEqual({ code: 'no merge under way', number: 1 })
  })
})

describe('direct merge', () => {
  const direct = { directMergeMode: 'always' } as const

  // E-42
  test('that the code host refuses leads to a test run', () => {
    const story = new Story(direct, { codeHost: 'answers' })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    expect(story.stateOf(1)).toBe('PENDING')
    expect(story.requestedMerges).toEqual([1])
    story.answerMerge(1, 'PR_UPDATED_AT_MERGE_TIME')
    expect(story.running).toEqual(['> 1'])
  })
})

describe('a target branch that moved during a merge', () => {
  // E-208
  test('is news as well when only another lane has merged meanwhile', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] }, {}, { codeHost: 'answers' })
    story.submit(1, 2, 3)
    story.pass('> 1')
    story.pass('> 2')
    story.answerMerge(1)
    story.answerMerge(2, 'TARGET_BRANCH_MOVED')
    expect(story.happened('groupRestarted').map(({ group }) => group)).toEqual([2, 3])
  })

  // E-47, E-208
  test('after the push was reported, only the group that was merging restarts', () => {
    const story = new Story({ concurrency: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    story.send({ type: 'reportPush' })
    const started = story.started.length
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.started.slice(started)).toEqual(['> 1'])
  })
})

const requests = (story: Story): (readonly PullRequestNumber[] | undefined)[] =>
  story.happened('mergeRequested').map(({ numbers }) => numbers)

/** A batch of three that has passed, and that the code host is landing. */
function landing(configuration: Partial<Configuration> = {}): Story {
  const settings = { batch: true, batchingMinSize: 3, ...configuration }
  const story = new Story(settings, { codeHost: 'groups' })
  story.submit(1, 2, 3)
  story.pass('> 1 2 3')
  return story
}

describe('a group that lands as one push', () => {
  // E-108, E-220
  test('a restart request is refused for each of them', () => {
    const story = landing()
    expect(story.restart(2)).toEqual({ code: 'merge under way', number: 2 })
  })
})

describe('a push of which only the first have landed', () => {
  // E-221
  test('without a list, the answer is about the one that it names', () => {
    const story = landing()
    story.answerMerge(1)
    expect(story.merged).toEqual([1])
    expect(requests(story).at(-1)).toEqual([2, 3])
  })

  // E-10, E-221
  test('an answer that leaves one out, or is in another order, is refused', () => {
    const story = landing()
    expect(story.answerPush(2, 3)).toEqual({ code: 'no merge under way', number: 2 })
    expect(story.answerPush(1, 3)).toEqual({ code: 'no merge under way', number: 3 })
    expect(story.answerPush(9)).toEqual({ code: 'no merge under way', number: 9 })
    expect(story.merged).toEqual([])
  })

  // E-110, E-221
  test('a stored cancel takes effect when the first one was merged by hand', () => {
    const story = landing()
    story.cancel(3)
    story.send({ type: 'reportManualMerge', number: 1 })
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'TESTING', 'CANCELLED'])
  })
})

describe('a push that the code host refuses', () => {
  // E-46, E-222
  test('stored cancels take effect, of the one at fault and of others', () => {
    const story = landing()
    story.cancel(1)
    story.cancel(2)
    story.answerMerge(2, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.states(1, 2, 3)).toEqual(['CANCELLED', 'CANCELLED', 'TESTING'])
  })
})
