import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('an urgent pull request', () => {
  test('goes to the head at once, and everybody restarts on top of it as slots allow', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3)
    story.urgent(9)
    expect(story.running).toEqual(['> 9', '9 > 1'])
    expect(story.states(9, 1, 2, 3)).toEqual(['TESTING', 'TESTING', 'PENDING', 'PENDING'])
    expect(story.reasonOf(2)).toBe('SKIP_THE_LINE_INTERRUPTED')
    story.pass('> 9')
    expect(story.running).toEqual(['9 > 1', '1 > 2'])
  })

  test('arrives while a group waits in TESTS_PASSED: that one is tested again on top', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3)
    story.pass('1 > 2')
    story.fail('1 2 > 3')
    story.urgent(9)
    expect(story.running).toEqual(['> 9', '9 > 1', '9 1 > 2'])
    expect(story.states(2, 3)).toEqual(['TESTING', 'PENDING'])
  })

  test('stays behind earlier urgents', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1)
    story.urgent(8)
    story.urgent(9)
    expect(story.running).toEqual(['> 8', '8 > 9', '8 9 > 1'])
  })

  test('stays behind what an earlier urgent was put on top of', () => {
    const story = new Story({ concurrency: 3, directMergeMode: 'always' }, { codeHost: 'answers' })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    story.urgent(8)
    expect(story.running).toEqual(['1 > 8'])
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.running).toEqual(['1 > 8', '> 1'])
    story.urgent(9)
    expect(story.running).toEqual(['1 > 8', '> 1', '1 8 > 9'])
  })

  test('stays behind a group whose merging has begun', () => {
    const story = new Story(
      { concurrency: 2, batch: true, batchingMinSize: 2 },
      { codeHost: 'answers' },
    )
    story.submit(1, 2)
    story.pass('> 1 2')
    story.answerMerge(1)
    story.urgent(9)
    expect(story.running).toEqual(['2 > 9'])
    story.answerMerge(2)
    expect(story.merged).toEqual([1, 2])
  })

  test('is tested alone, whatever the batch size', () => {
    const story = new Story({ batch: true, batchingMinSize: 4, concurrency: 1 })
    story.submit(1, 2)
    story.urgent(9)
    expect(story.running).toEqual(['> 9'])
    expect(story.states(1, 2)).toEqual(['PENDING', 'PENDING'])
  })

  test('may be one that was PENDING, resubmitted', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    story.urgent(2)
    expect(story.running).toEqual(['> 2'])
  })

  test('that is in the line already only changes its value', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.urgent(2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    expect(story.queue.pullRequests[2]?.priority).toBe(0)
  })

  test('leaves bisections as they are, and does not wait for them', () => {
    const story = new Story({ batch: true, batchingMinSize: 2, bisectionConcurrency: 1 })
    story.submit(1, 2)
    story.fail('> 1 2')
    story.urgent(9)
    expect(story.running).toEqual(['bisect > 1', '> 9'])
    story.pass('> 9')
    expect(story.merged).toEqual([9])
  })

  test('waits while the queue starts nothing new', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1)
    story.update({ state: 'DRAINING' })
    story.urgent(9)
    expect(story.stateOf(9)).toBe('NOT_READY')
    expect(story.running).toEqual(['> 1'])
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['> 9', '9 > 1'])
  })
})
