import { expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
import type { Story } from '../testing/story.ts'

/** Pull request 9 passes alone, and its run reports that test `clock` passed only when repeated. */
function reportFlakyClock(story: Story): void {
  story.submitAs(9, { noBatch: true })
  const flakyTests = [{ name: 'clock' }]
  story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
}

// E-79
test('a result that a bisection knows is not reused by a main run or another bisection, although the composition is the same', () => {
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
