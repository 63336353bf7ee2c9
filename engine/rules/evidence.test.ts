import { expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

const none = { failedIn: null, passedWithout: null, failedTests: [] }

// E-21
test('evidence where no run failed names no run: a text conflict with the tip', () => {
  const story = new Story()
  story.submit(1)
  story.pass('> 1')
  story.conflict(2, 1)
  story.submit(2)
  expect(story.queue.pullRequests[2]?.evidence).toEqual(none)
})
