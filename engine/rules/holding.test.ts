import { expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

// E-56, E-57, E-117
test('pending failure depth when as many successors as the depth have given a verdict, the failure counts', () => {
  const story = new Story({ concurrency: 4, pendingFailureDepth: 2 })
  story.submit(1, 2, 3, 4)
  story.fail('> 1')
  expect(story.stateOf(1)).toBe('PENDING_FAILURE')
  story.fail('1 > 2')
  expect(story.stateOf(1)).toBe('PENDING_FAILURE')
  story.fail('1 2 > 3')
  expect(story.stateOf(1)).toBe('FAILED')
  expect(story.running).toEqual(['> 2', '2 > 3', '2 3 > 4'])
})

// E-50, E-56, E-107
test('pending failure depth when a group behind passed by the run of another, that run counts once', () => {
  const settings = { concurrency: 5, pendingFailureDepth: 2, canOptimisticallyMerge: true }
  const story = new Story(settings, { codeHost: 'answers' })
  story.submit(1, 2, 3, 4, 5)
  story.pass('1 2 3 > 4')
  story.restart(2)
  story.fail('1 > 2')
  story.answerMerge(1)
  expect(story.stateOf(2)).toBe('PENDING_FAILURE')
  story.fail('1 2 3 4 > 5')
  expect(story.stateOf(2)).toBe('FAILED')
})
