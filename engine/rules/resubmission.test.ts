import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('a pull request that is submitted again after it left', () => {
  // E-13, E-185
  test('has new content: a failure does not contradict a pass of the submission before', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.pass('1 > 2')
    story.cancel(2)
    story.submit(2)
    story.fail('1 > 2', 'clock')
    expect(story.happened('verdictContradicted')).toEqual([])
    story.pass('> 1')
    // What passed on 1 alone is known: the run of 1.
    expect(story.queue.pullRequests[2]?.evidence).toMatchObject({ failedIn: 3, passedWithout: 1 })
  })

  // E-185
  test('brings no options along: priority and noBatch are the defaults again', () => {
    const story = new Story({ concurrency: 1 })
    story.submitAs(1, { priority: 10, noBatch: true })
    story.cancel(1)
    story.submit(1)
    const fresh = new Story()
    fresh.submit(1)
    const { priority, priorityAsked, noBatch } = fresh.queue.pullRequests[1] ?? {}
    expect(story.queue.pullRequests[1]).toMatchObject({ priority, priorityAsked, noBatch })
  })

  // E-185
  test('is still objected to, and still conflicts as text, until the code host says otherwise', () => {
    const story = new Story({ concurrency: 2 })
    story.send({ type: 'reportPullRequest', number: 1, mergeable: false })
    story.conflict(3, 2)
    story.submit(1, 2, 3)
    expect(story.states(1, 2, 3)).toEqual(['NOT_READY', 'TESTING', 'PENDING_FAILURE'])
    story.cancel(1)
    story.cancel(3)
    story.submit(1, 3)
    expect(story.states(1, 3)).toEqual(['NOT_READY', 'PENDING_FAILURE'])
  })

  // E-185
  test('keeps its impacted targets, so that it is ready at once', () => {
    const story = lanes({ 1: ['a'] })
    story.submit(1)
    story.cancel(1)
    story.submit(1)
    expect(story.running).toEqual(['> 1'])
  })

  // E-185
  test('has its merged content on the tip still, however often it was submitted since', () => {
    const story = new Story()
    story.submit(1)
    story.pass('> 1')
    story.submit(1)
    story.cancel(1)
    story.submit(1)
    story.cancel(1)
    story.conflict(2, 1)
    story.submit(2)
    expect(story.reasonOf(2)).toBe('START_TEST_RUN_MERGE_CONFLICT')
  })

  // E-82, E-185
  test('finds the tests that are known to flake: they belong to the queue', () => {
    const story = batches(2)
    story.submitAs(9, { noBatch: true })
    const flakyTests = [{ name: 'clock' }]
    story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
    story.submit(1, 2)
    story.cancel(1)
    story.cancel(2)
    story.submit(1, 2)
    story.fail('> 1 2', 'clock')
    expect(story.running).toEqual(['bisect > 1 2'])
  })

  // E-87, E-185
  test('may be tested together with others again, however often flakes had sent it back', () => {
    const story = batches(2)
    story.submitAs(9, { noBatch: true })
    const flakyTests = [{ name: 'clock' }]
    story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
    story.submit(1, 2)
    for (let round = 1; round <= 4; round++) {
      story.fail('> 1 2', 'clock')
      story.send({ type: 'reportPush' })
      story.pass('bisect > 1 2')
    }
    expect(story.running).toEqual(['> 1'])
    story.cancel(1)
    story.cancel(2)
    story.submit(1, 2)
    expect(story.running).toEqual(['> 1 2'])
  })
})

describe('a pull request that is submitted again with another commit while it is in the queue', () => {
  const submit = (story: Story, number: number, sha?: string) =>
    story.send({ type: 'submitPullRequest', number, ...(sha === undefined ? {} : { sha }) })

  // E-227
  test('is tested anew behind the others, and nothing of the old commit merges', () => {
    const story = new Story({ concurrency: 3 })
    for (const number of [1, 2, 3]) submit(story, number, 'old')
    story.pass('1 > 2')
    submit(story, 2, 'new')
    expect(story.running).toEqual(['> 1', '1 > 3', '1 3 > 2'])
    expect(story.reasonOf(2)).toBeNull()
    const moves = story.happened('pullRequestMoved').filter(({ to }) => to === 'CANCELLED')
    expect(moves).toMatchObject([{ number: 2, from: 'TESTS_PASSED', reason: 'PR_PUSHED_TO' }])
    for (const run of ['> 1', '1 > 3', '1 3 > 2']) story.pass(run)
    expect(story.merged).toEqual([1, 3, 2])
  })

  // E-20, E-227
  test('stays where it is with the same commit or without one, and with a named one for the first time does not', () => {
    const story = new Story({ concurrency: 2 })
    submit(story, 1, 'a')
    submit(story, 2)
    submit(story, 1, 'a')
    submit(story, 1)
    submit(story, 2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    expect(story.happened('testRunCancelled')).toEqual([])
    submit(story, 2, 'a')
    expect(story.happened('testRunCancelled')).toHaveLength(1)
  })

  // E-227
  test('leaves a batch that is tested, whose others are tested without it', () => {
    const story = batches(3)
    submit(story, 1, 'a')
    story.submit(2, 3)
    submit(story, 1, 'b')
    expect(story.running).toEqual(['> 2 3'])
    expect(story.stateOf(1)).toBe('PENDING')
  })

  // E-90, E-227
  test('leaves a bisection, and a verdict on the old commit does not convict the new one', () => {
    const story = batches(2)
    submit(story, 1, 'a')
    story.submit(2)
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1'])
    submit(story, 1, 'b')
    expect(story.running).toEqual(['bisect > 2'])
    expect(story.stateOf(1)).toBe('PENDING')
  })

  // E-227
  test('is held no longer for a failure of the old commit', () => {
    const story = new Story({ concurrency: 2, pendingFailureDepth: 1 })
    submit(story, 1, 'a')
    story.submit(2)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    submit(story, 1, 'b')
    expect(story.running).toEqual(['> 2', '2 > 1'])
  })

  // E-227
  test('is refused while the code host merges the old commit, and accepted after its answer', () => {
    const story = new Story({ concurrency: 1 }, { codeHost: 'answers' })
    submit(story, 1, 'a')
    story.pass('> 1')
    expect(submit(story, 1, 'b')).toEqual({ code: 'merge under way', number: 1 })
    story.answerMerge(1)
    expect(submit(story, 1, 'b')).toBeNull()
    expect(story.running).toEqual(['> 1'])
  })

  // E-41, E-227
  test('is not merged directly because the old commit was green, but with the same commit is', () => {
    const story = new Story({ directMergeMode: 'always' })
    story.update({ state: 'PAUSED' })
    for (const number of [1, 2]) {
      submit(story, number, 'a')
      story.send({ type: 'reportPullRequest', number, greenOnTip: true })
      story.cancel(number)
    }
    submit(story, 1, 'b')
    submit(story, 2, 'a')
    expect(story.queue.greenOnTip).toEqual([2])
  })
})
