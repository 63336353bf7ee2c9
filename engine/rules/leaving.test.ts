import { describe, expect, test } from 'vitest'
import { lanes, Story, batches } from '../testing/story.ts'

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
})

const aside = { concurrency: 4, policy: 'adaptive', canOptimisticallyMerge: true } as const

describe('a failure that steps aside', () => {
  // E-187, E-228
  test('does not step aside under the documented policy', () => {
    const story = new Story({ ...aside, policy: 'documented' })
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    expect(story.running).toEqual(['> 1', '1 2 > 3'])
  })

  // E-193, E-306
  test('speaks against it all the same when it fails once more', () => {
    const story = new Story(aside)
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    story.pass('1 > 3')
    story.fail('bisect > 2')
    expect(story.stateOf(2)).toBe('FAILED')
  })
})

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
