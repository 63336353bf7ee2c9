import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

const none = { failedIn: null, passedWithout: null, failedTests: [] }

describe('evidence where no run failed', () => {
  // E-21
  test('names no run: a text conflict with the tip', () => {
    const story = new Story()
    story.submit(1)
    story.pass('> 1')
    story.conflict(2, 1)
    story.submit(2)
    expect(story.queue.pullRequests[2]?.evidence).toEqual(none)
  })

  // E-21, E-44
  test('names no run: a refused merge', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1)
    story.pass('> 1')
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.queue.pullRequests[1]?.evidence).toEqual(none)
  })
})
