import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('a pull request that is submitted again after it left', () => {
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

  // E-185
  test('keeps its impacted targets, so that it is ready at once', () => {
    const story = lanes({ 1: ['a'] })
    story.submit(1)
    story.cancel(1)
    story.submit(1)
    expect(story.running).toEqual(['> 1'])
  })
})

describe('a pull request that is submitted again with another commit while it is in the queue', () => {
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

  const submit = (story: Story, number: number, sha?: string) =>
    story.send({ type: 'submitPullRequest', number, ...(sha === undefined ? {} : { sha }) })

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
})
