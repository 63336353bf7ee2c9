import { describe, expect, test } from 'vitest'
import { addPhaseChange, newStory, type PullRequestStory } from '../recording/story.ts'
import { busiestDay } from './busiest-day.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** A pull request that is in the queue for one hour. */
function visit(number: number, at: number): PullRequestStory {
  const story = newStory(number)
  addPhaseChange(story, at, 'testing')
  addPhaseChange(story, at + hour, null)
  return story
}

describe('the busiest day', () => {
  test('of a history with idle weeks is the day with most submissions', () => {
    const stories = [visit(1, 0), visit(2, 9 * day), visit(3, 9 * day + 5 * hour)]
    const found = busiestDay(stories, { from: 0, to: 20 * day })
    expect(found).toMatchObject({ day: 10, from: 9 * day, to: 10 * day, idle: 20 * day - 3 * hour })
    expect(found?.arrivals.map(({ number }) => number)).toEqual([2, 3])
  })

  test('is the first one of several', () => {
    const stories = [visit(2, 9 * day), visit(1, 3 * day)]
    expect(busiestDay(stories, { from: 0, to: 20 * day })?.day).toBe(4)
  })

  test('does not exist if the queue was empty for less than a week', () => {
    const stories = [visit(1, 0), visit(2, 6.9 * day)]
    expect(busiestDay(stories, { from: 0, to: 7 * day })).toBeNull()
    expect(busiestDay(stories, { from: 0, to: 7 * day + 2 * hour })?.idle).toBe(7 * day)
    expect(busiestDay([], { from: 0, to: 20 * day })).toBeNull()
  })

  test('counts time in the queue once, and time between two submissions as idle', () => {
    const again = visit(1, 0)
    addPhaseChange(again, 10 * day, 'waiting')
    addPhaseChange(again, 10 * day + hour, null)
    const stories = [again, visit(2, 0), visit(3, 10 * day)]
    expect(busiestDay(stories, { from: 0, to: 10 * day + hour })?.idle).toBe(10 * day - hour)
  })
})
