import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../scenario/scenario.ts'
import { addPhaseChange, newStory, type PullRequestStory } from '../recording/story.ts'
import { busiestDay } from './busiest-day.ts'

const hour = 60 * 60_000
const day = 24 * hour

const plain: Scenario = { name: 'plain' }

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
    const found = busiestDay(stories, { from: 0, to: 20 * day }, plain)
    expect(found).toMatchObject({
      name: 'day 10',
      from: 9 * day,
      to: 10 * day,
      idle: 20 * day - 3 * hour,
    })
    expect(found?.arrivals.map(({ number }) => number)).toEqual([2, 3])
  })

  test('is the first one of several', () => {
    const stories = [visit(2, 9 * day), visit(1, 3 * day)]
    expect(busiestDay(stories, { from: 0, to: 20 * day }, plain)?.name).toBe('day 4')
  })

  test('does not exist if the queue was empty for less than a week', () => {
    const stories = [visit(1, 0), visit(2, 6.9 * day)]
    expect(busiestDay(stories, { from: 0, to: 7 * day }, plain)).toBeNull()
    expect(busiestDay(stories, { from: 0, to: 7 * day + 2 * hour }, plain)?.idle).toBe(7 * day)
    expect(busiestDay([], { from: 0, to: 20 * day }, plain)).toBeNull()
  })

  test('counts time in the queue once, and time between two submissions as idle', () => {
    const again = visit(1, 0)
    addPhaseChange(again, 10 * day, 'waiting')
    addPhaseChange(again, 10 * day + hour, null)
    const stories = [again, visit(2, 0), visit(3, 10 * day)]
    expect(busiestDay(stories, { from: 0, to: 10 * day + hour }, plain)?.idle).toBe(10 * day - hour)
  })

  // S-210
  test('of a history with dates begins at midnight in UTC and has its date', () => {
    const scenario = { ...plain, startsAt: '2026-03-01T18:00Z' }
    const stories = [visit(1, 0), visit(2, 9 * day + 5 * hour), visit(3, 9 * day + 7 * hour)]
    const late = [...stories, visit(4, 9 * day + 8 * hour)]
    // 23:00 on Tuesday, 01:00 and 02:00 on Wednesday.
    expect(busiestDay(late, { from: 0, to: 20 * day }, scenario)).toMatchObject({
      name: 'Wed 2026-03-11 (UTC)',
      from: 9 * day + 6 * hour,
      to: 10 * day + 6 * hour,
    })
    const first = [visit(1, 0), visit(2, hour), visit(3, 9 * day)]
    const found = busiestDay(first, { from: 0, to: 20 * day }, scenario)
    expect(found).toMatchObject({ name: 'Sun 2026-03-01 (UTC)', from: 0, to: 6 * hour })
  })

  // S-210
  test('of a busier history is one of its shorter days, and so is the week', () => {
    const scenario = { ...plain, startsAt: '2026-03-01T00:00Z', dayMinutes: 72 }
    const short = day / 20
    const stay = (number: number, at: number): PullRequestStory => visit(number, at * short)
    const stories = [stay(1, 0), stay(2, 9), stay(3, 9.4), stay(4, 10.1)]
    expect(busiestDay(stories, { from: 0, to: 20 * short }, scenario)).toMatchObject({
      name: 'Tue 2026-03-10 (UTC)',
      from: 9 * short,
      to: 10 * short,
    })
    expect(busiestDay(stories, { from: 0, to: 8 * short }, scenario)).toBeNull()
  })
})
