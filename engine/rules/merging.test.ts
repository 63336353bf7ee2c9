import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('merging through a code host that answers', () => {
  test('one pull request after another, each its own commit, in order', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    expect(story.mergesAsked).toEqual([1])
    story.answerMerge(1)
    expect(story.mergesAsked).toEqual([1, 2])
    story.answerMerge(2)
    expect(story.merged).toEqual([1, 2])
  })

  test('a run that starts meanwhile holds what is being merged', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1)
    story.pass('> 1')
    story.submit(2)
    expect(story.running).toEqual(['1 > 2'])
    story.answerMerge(1)
    expect(story.happened('groupRestarted')).toEqual([])
  })

  test('one that is refused is FAILED, and those behind restart without it', () => {
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

  test('a cancel during its own merge takes effect only if the host refuses', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    expect(story.cancel(1)).toBeNull()
    expect(story.stateOf(1)).toBe('TESTS_PASSED')
    story.answerMerge(1)
    expect(story.stateOf(1)).toBe('MERGED')

    story.pass('1 > 2')
    story.cancel(2)
    story.answerMerge(2, 'PR_UPDATED_AT_MERGE_TIME')
    expect(story.stateOf(2)).toBe('CANCELLED')
    expect(story.reasonOf(2)).toBe('USER_REQUESTED')
  })

  test('a cancel during its own merge is taken back by submitting it again', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1)
    story.pass('> 1')
    story.cancel(1)
    story.submit(1)
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.reasonOf(1)).toBe('GITHUB_API_MERGE_PR_FAILED')
  })

  test('a cancel of another member restarts the rest behind the one that is being merged', () => {
    const story = new Story(
      { batch: true, batchingMinSize: 4, concurrency: 1 },
      { codeHost: 'answers' },
    )
    story.submit(1, 2, 3, 4)
    story.pass('> 1 2 3 4')
    story.cancel(3)
    expect(story.running).toEqual(['1 > 2 4'])
    story.answerMerge(1)
    expect(story.merged).toEqual([1])
    expect(story.stateOf(2)).toBe('TESTING')
  })

  test('a push meanwhile does not take back what the host is working on', () => {
    const story = new Story(
      { batch: true, batchingMinSize: 2, concurrency: 1 },
      { codeHost: 'answers' },
    )
    story.submit(1, 2)
    story.pass('> 1 2')
    story.send({ type: 'reportPush' })
    expect(story.stateOf(1)).toBe('TESTS_PASSED')
    expect(story.running).toEqual(['1 > 2'])
  })

  test('a merge by hand of another member does not take it back either', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    story.send({ type: 'reportManualMerge', number: 2 })
    expect(story.stateOf(1)).toBe('TESTS_PASSED')
    expect(story.answerMerge(1)).toBeNull()
    expect(story.stateOf(1)).toBe('MERGED')
  })

  test('an answer nobody waits for is refused', () => {
    const story = new Story({}, { codeHost: 'answers' })
    expect(story.answerMerge(1)).toEqual({ code: 'no merge under way', number: 1 })
    story.submit(1)
    expect(story.answerMerge(1)).toEqual({ code: 'no merge under way', number: 1 })
  })

  test('survivors of a bisection go the same way, and the bisection stands on them', () => {
    const story = new Story(
      { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
      { codeHost: 'answers' },
    )
    story.submit(1, 2)
    story.fail('> 1 2')
    story.fail('bisect > 1')
    story.pass('bisect > 2')
    expect(story.mergesAsked).toEqual([2])
    story.answerMerge(2, 'PR_UPDATED_AT_MERGE_TIME')
    expect(story.states(1, 2)).toEqual(['FAILED', 'FAILED'])
    expect(story.queue.line).toEqual([])
  })

  test('a survivor that is refused voids what was proven on top of it', () => {
    const story = new Story(
      { batch: true, batchingMinSize: 3, bisectionConcurrency: 1 },
      { codeHost: 'answers' },
    )
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    expect(story.running).toEqual(['bisect > 1'])
    story.pass('bisect > 1')
    expect(story.mergesAsked).toEqual([1])
    expect(story.running).toEqual(['bisect 1 > 2'])
    story.answerMerge(1, 'PR_UPDATED_AT_MERGE_TIME')
    expect(story.running).toEqual(['bisect > 2'])
  })
})

describe('direct merge', () => {
  const direct = { directMergeMode: 'always' } as const

  test('green on the tip, with nothing ahead: merged without a run', () => {
    const story = new Story(direct)
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    expect(story.stateOf(1)).toBe('MERGED')
    expect(story.reasonOf(1)).toBe('MERGE_GRAPH_DIRECT_MERGE')
    expect(story.started).toEqual([])
  })

  test('an urgent one as well: it is not put into the line for a run that it does not need', () => {
    const story = new Story(direct)
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.urgent(1)
    expect(story.stateOf(1)).toBe('MERGED')
    expect(story.started).toEqual([])
  })

  test('an urgent one behind what is in the line interrupts all the same', () => {
    const story = new Story(direct)
    story.submit(1)
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.urgent(2)
    expect(story.running).toEqual(['> 2', '2 > 1'])
  })

  test('not when something is ahead, a bisection included', () => {
    const story = new Story({ ...direct, batch: true, batchingMinSize: 2, bisectionConcurrency: 1 })
    story.submit(1, 2)
    story.send({ type: 'reportPullRequest', number: 3, greenOnTip: true })
    story.submitAs(3, { noBatch: true })
    expect(story.running).toEqual(['> 1 2', '1 2 > 3'])
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1', '> 3'])
  })

  test('not when the tip has moved since the host looked', () => {
    const story = new Story(direct)
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.send({ type: 'reportPush' })
    story.submit(1)
    expect(story.running).toEqual(['> 1'])
  })

  test('one the host refuses is tested instead', () => {
    const story = new Story(direct, { codeHost: 'answers' })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    expect(story.stateOf(1)).toBe('PENDING')
    expect(story.mergesAsked).toEqual([1])
    story.answerMerge(1, 'PR_UPDATED_AT_MERGE_TIME')
    expect(story.running).toEqual(['> 1'])
  })

  test('off by default', () => {
    const story = new Story()
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    expect(story.running).toEqual(['> 1'])
  })
})
