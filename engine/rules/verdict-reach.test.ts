import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
import { Story } from '../testing/story.ts'

/** Pull request 9 passes alone, and its run reports that test `clock` passed only when repeated. */
function reportFlakyClock(story: Story): void {
  story.submitAs(9, { noBatch: true })
  const flakyTests = [{ name: 'clock' }]
  story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
}

describe('a result that a bisection knows', () => {
  // E-79
  test('is not reused by a main run or another bisection, although the composition is the same', () => {
    const story = batches(2, { concurrency: 2 })
    reportFlakyClock(story)
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2', 'clock')
    story.pass('bisect > 1 2')
    story.fail('> 3 4', 'clock')
    story.cancel(3)
    story.cancel(4)
    expect(story.running).toEqual(['> 1 2'])
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1'])
    const sameRuns = story
      .happened('testRunStarted')
      .filter(({ run: { base, tested } }) => base.length === 0 && tested.join() === '1,2')
    expect(sameRuns).toHaveLength(3)
    expect(new Set(sameRuns.map(({ run }) => run.composition)).size).toBe(1)
  })
})

describe('two runs of one composition', () => {
  // E-82
  test('that fail in different tests make both tests known flakes', () => {
    const story = new Story({ concurrency: 2, pendingFailureDepth: 1 })
    story.submit(1, 2)
    story.fail('> 1', 'clock')
    story.restart(1)
    expect(story.queue.flakyTests).toEqual({})
    story.fail('> 1', 'network')
    expect(Object.keys(story.queue.flakyTests)).toHaveLength(2)
  })
})
