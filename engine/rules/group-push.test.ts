import { describe, expect, test } from 'vitest'
import type { Configuration } from '../model/configuration.ts'
import type { PullRequestNumber } from '../model/state.ts'
import { Story } from '../testing/story.ts'

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
  // E-219
  test('all members are requested at once, and merge in order, one commit each', () => {
    const story = landing()
    expect(story.happened('mergeRequested')).toMatchObject([{ number: 1, numbers: [1, 2, 3] }])
    expect(story.requestedMerges).toEqual([1, 2, 3])
    expect(story.answerPush(1, 2, 3)).toBeNull()
    expect(story.merged).toEqual([1, 2, 3])
    expect(story.queue.tip.number).toBe(3)
    expect(story.queue.line).toEqual([])
  })

  // E-108, E-220
  test('a restart request is refused for each of them', () => {
    const story = landing()
    expect(story.restart(2)).toEqual({ code: 'merge under way', number: 2 })
  })
})

describe('a push of which only the first have landed', () => {
  // E-221
  test('one of the others that was cancelled leaves, and the rest is tested again', () => {
    const story = landing()
    story.cancel(2)
    story.answerPush(1)
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'CANCELLED', 'TESTING'])
    expect(story.running).toEqual(['> 3'])
    expect(requests(story)).toHaveLength(1)
  })

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
  test('one that a person merged meanwhile is passed over', () => {
    const story = landing()
    story.send({ type: 'reportManualMerge', number: 2 })
    story.answerPush(1, 2, 3)
    expect(story.merged).toEqual([2, 1, 3])
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

  // E-208, E-222
  test('because the branch has moved: one that was cancelled meanwhile leaves', () => {
    const story = landing()
    story.cancel(2)
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'CANCELLED', 'TESTING'])
  })
})
