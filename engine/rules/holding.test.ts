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
