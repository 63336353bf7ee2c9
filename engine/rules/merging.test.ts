import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

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

  // E-44
  test('a refused pull request is FAILED, and the groups behind restart without it', () => {
    const story = new Story(
      { batch: true, batchingMinSize: 3, concurrency: 2 },
      { codeHost: 'answers' },
    )
    story.submit(1, 2, 3, 4, 5, 6)
    story.pass('> 1 2 3')
    story.answerMerge(1)
    story.answerMerge(2, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'FAILED', 'TESTING'])
    expect(story.reasonOf(2)).toBe('GITHUB_API_MERGE_PR_FAILED')
    expect(story.running).toEqual(['> 3', '3 > 4 5 6'])
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

  // E-47
  test('a manual merge of another member does not restart the member that is being merged', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    story.send({ type: 'reportManualMerge', number: 2 })
    expect(story.stateOf(1)).toBe('TESTS_PASSED')
    expect(story.answerMerge(1)).toBeNull()
    expect(story.stateOf(1)).toBe('MERGED')
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

  // E-9, E-40
  test('merges a pull request without a run if it is green on the tip and nothing is ahead', () => {
    const story = new Story(direct)
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    expect(story.stateOf(1)).toBe('MERGED')
    expect(story.reasonOf(1)).toBe('MERGE_GRAPH_DIRECT_MERGE')
    expect(story.started).toEqual([])
  })

  // E-41
  test('does not happen if the tip has moved since the report', () => {
    const story = new Story(direct)
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.send({ type: 'reportPush' })
    story.submit(1)
    expect(story.running).toEqual(['> 1'])
  })

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

  // E-40
  test('is off by default', () => {
    const story = new Story()
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    expect(story.running).toEqual(['> 1'])
  })
})

// E-45
test('a batch that has begun to merge finishes in a PAUSED queue; a manual merge begins none', () => {
  const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
  story.submit(1, 2, 3, 4)
  story.pass('> 1 2')
  story.update({ state: 'PAUSED' })
  story.answerMerge(1)
  expect(story.requestedMerges).toEqual([1, 2])
  story.answerMerge(2)
  story.pass('1 2 > 3 4')
  story.send({ type: 'reportManualMerge', number: 3 })
  expect(story.states(3, 4)).toEqual(['MERGED', 'TESTS_PASSED'])
  expect(story.requestedMerges).toEqual([1, 2])
})
