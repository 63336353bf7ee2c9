import { expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

/** A single failure is looked at once more, so that a flake is found out: then two runs of twelve flake. */
const settings = {
  concurrency: 3,
  pendingFailureDepth: 1,
  policy: 'adaptive',
} as const

// E-226
test('failures that are held only while runs flake: under the documented policy failures are held on a quiet queue as well', () => {
  const story = new Story({ ...settings, policy: 'documented' })
  story.submit(1, 2)
  story.fail('> 1')
  expect(story.stateOf(1)).toBe('PENDING_FAILURE')
})
