import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

/** Pull request 2 has failed on top of 1, which is still tested, and is tested again. */
function secondRunAfter(...failedTests: string[]): Story {
  const story = new Story({ concurrency: 2 })
  story.submit(1, 2)
  story.fail('1 > 2', ...failedTests)
  story.restart(2)
  return story
}

const known = (story: Story): string[] => Object.keys(story.queue.flakyTests).toSorted()

describe('two verdicts on one composition', () => {
  // E-82
  test('of two failures, the tests that failed in one of them only are known to flake', () => {
    const story = secondRunAfter('first', 'both')
    story.fail('1 > 2', 'both', 'second')
    expect(known(story)).toEqual(['first', 'second'])
    expect(story.happened('verdictContradicted')).toEqual([])
  })

  // E-82
  test('a pass after a successor has cleared the failure still shows which tests flake', () => {
    const options = { concurrency: 3, canOptimisticallyMerge: true }
    const story = new Story(options, { codeHost: 'answers' })
    story.submit(9, 1, 2)
    story.fail('9 > 1', 'clock')
    story.pass('9 1 > 2')
    expect(story.happened('verdictContradicted')).toMatchObject([{ testRun: 2, flakyTests: [] }])
    story.restart(1)
    story.pass('9 > 1')
    expect(known(story)).toEqual(['clock'])
    expect(story.happened('verdictContradicted')).toHaveLength(1)
    expect(story.happened('flakyTestsSeen')).toMatchObject([{ flakyTests: ['clock'] }])
  })

  // E-82
  test('a test is said to flake once, however often the composition passes', () => {
    const story = secondRunAfter('clock')
    story.pass('1 > 2')
    story.restart(2)
    story.pass('1 > 2')
    expect(known(story)).toEqual(['clock'])
    expect(story.happened('flakyTestsSeen')).toEqual([])
  })

  // E-181
  test('a timeout is no verdict: a pass after it contradicts nothing', () => {
    const story = new Story({ concurrency: 2, testingTimeoutMinutes: 10 })
    story.submit(1)
    story.wait(5)
    story.submit(2)
    story.pass('> 1')
    story.wait(10)
    expect(story.reasonOf(2)).toBe('TEST_RUN_TIMEOUT')
    expect(story.queue.verdicts).toHaveLength(1)
  })

  // E-82
  test('count while the first is among the last 100, and not longer', () => {
    const after = (others: number): Story => {
      const story = new Story({ mode: 'parallel', concurrency: 3 })
      story.touches(1, ['slow'])
      story.touches(2, ['slow'])
      story.submit(1, 2)
      story.pass('1 > 2')
      for (let number = 11; number < 11 + others; number++) {
        story.touches(number, ['other'])
        story.submit(number)
        story.fail(`> ${number}`)
      }
      story.restart(2)
      story.fail('1 > 2')
      return story
    }
    // Another lane only fails, so that the tip and with it the composition stay.
    expect(after(99).happened('verdictContradicted')).toHaveLength(1)
    expect(after(100).happened('verdictContradicted')).toHaveLength(0)
  })
})
