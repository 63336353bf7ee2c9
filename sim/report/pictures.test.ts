import { expect, test, describe } from 'vitest'
import { depthBetween } from './sections/depth.ts'
import { Depth, depthOf, joinedSteps } from './recording/depth.ts'
import { addPhaseChange, newStory, type PullRequestStory } from './recording/story.ts'
import { mostListed } from '../html/components.ts'
import { Kept } from './recording/minutes.ts'
import { calendarOf } from '../scenario/time.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { arrivalsByHour } from './sections/arrivals.ts'
import { busiestDay } from './timeline/busiest-day.ts'

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

/** A queue in which pull requests are under test at these times. */
function depthWith(stays: readonly (readonly [from: number, to: number])[]): Depth {
  const depth = new Depth()
  const changes = stays
    .flatMap(([from, to]) => [
      { at: from, isIn: true },
      { at: to, isIn: false },
    ])
    .sort((a, b) => a.at - b.at)
  for (const { at, isIn } of changes) {
    depth.move(isIn ? null : 'testing', isIn ? 'testing' : null)
    depth.note(at)
  }
  return depth
}

// S-212
test('a rush of a minute in half a year is a high maximum and a low mean', () => {
  const begin = 100 * day
  const rush = Array.from({ length: 50 }, () => [begin, begin + minute] as const)
  const steps = depthWith(rush).stepsUntil(180 * day)
  const busy = steps.filter(({ most }) => most > 0)
  expect(busy).toHaveLength(1)
  const [{ from, to, means, most } = { from: 0, to: 0, means: null, most: 0 }] = busy
  expect(most).toBe(50)
  expect(means?.testing).toBeCloseTo((50 * minute) / (to - from), 9)
  expect(from).toBeLessThanOrEqual(begin)
  expect(to).toBeGreaterThan(begin)
})

test('means and lengths of all steps add up to the time in queue, however long the run is', () => {
  for (const end of [10 * second, 799 * second, hour, 3 * day, 400 * day, 5000 * day]) {
    const stays = Array.from({ length: 40 }, (_, index) => {
      const from = Math.floor((index * end) / 50)
      return [from, Math.floor(from + end / 7)] as const
    }).map(([from, to]) => [from, Math.min(to, end)] as const)
    const steps = depthWith(stays).stepsUntil(end)
    expect(steps.length).toBeLessThanOrEqual(800)
    expect(steps.at(-1)?.to).toBe(end)
    const wanted = stays.reduce((sum, [from, to]) => sum + to - from, 0)
    const timeIn = (all: typeof steps): number =>
      all.reduce((sum, { from, to, means }) => sum + depthOf(means) * (to - from), 0)
    expect(timeIn(steps) / wanted).toBeCloseTo(1, 9)
    expect(timeIn(joinedSteps(steps, 24)) / wanted).toBeCloseTo(1, 9)
    expect(joinedSteps(steps, 24).length).toBeLessThanOrEqual(24)
  }
})

test('a step in which nothing changes has the depth that lasts', () => {
  const steps = depthWith([
    [0, 10 * second],
    [2 * second, 4 * second],
  ]).stepsUntil(12 * second)
  expect(steps.map(({ most }) => most)).toEqual([1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0])
  expect(steps.map(({ means }) => means.testing)).toEqual([1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0])
})

test('the depth of one day counts who came the day before, and nobody after its end', () => {
  const stay = (number: number, from: number, to: number) => {
    const story = newStory(number)
    addPhaseChange(story, from, 'waiting')
    addPhaseChange(story, to, null)
    return story
  }
  const stories = [stay(1, 0, day + hour), stay(2, day + 2 * hour, 9 * day), stay(3, 0, hour)]
  const steps = depthBetween(stories, { from: day, to: 2 * day })
  const mostAt = (at: number) => steps.find(({ from, to }) => from <= at && at < to)?.most
  expect([steps[0]?.from, steps.at(-1)?.to]).toEqual([day, 2 * day])
  expect([0, 0.5, 1.5, 2.5, 23].map((hours) => mostAt(day + hours * hour))).toEqual([1, 1, 0, 1, 1])
})

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test('keeps each number once, in order, as many as a page lists', () => {
  const kept = new Kept()
  kept.add([7, 3])
  kept.add([3, 5])
  expect(kept.numbers).toEqual([7, 3, 5])
  const full = new Kept()
  full.add(upTo(mostListed))
  full.add([1])
  expect([full.numbers.length, full.hasMore]).toEqual([mostListed, false])
  full.add([mostListed + 1])
  expect([full.numbers.length, full.hasMore]).toEqual([mostListed, true])
})

const hourMinutes = 60
const dayMinutes = 24 * hourMinutes

const history: Scenario = {
  name: 'history',
  // A Monday.
  startsAt: '2026-03-02T09:30Z',
  pullRequests: [
    { number: 1 },
    { number: 2, at: 29 },
    { number: 3, at: 30 },
    { number: 4, at: 14.5 * hourMinutes },
    { number: 5, at: 7 * dayMinutes },
    { number: 6, at: 4 * dayMinutes + 20 * hourMinutes },
  ],
}

function arrivalsIn(scenario: Scenario): string[] {
  const calendar = calendarOf(scenario)
  if (!calendar) return []
  return arrivalsByHour(scenario.pullRequests ?? [], calendar)
    .filter(({ numbers }) => numbers.length > 0)
    .map(({ weekday, hour: at, numbers }) => `${weekday} ${at}: ${numbers.join(' ')}`)
}

// S-210
test('pull requests are counted at their weekday and hour, of any week', () => {
  expect(arrivalsIn(history)).toEqual(['Mon 9: 1 2 5', 'Mon 10: 3', 'Tue 0: 4', 'Sat 5: 6'])
})

// S-210
test('a busier history has the same weekdays and hours', () => {
  for (const busier of [2, 7, 20, 1000]) {
    const scenario = {
      ...history,
      dayMinutes: dayMinutes / busier,
      pullRequests: (history.pullRequests ?? []).map(({ number, at = 0 }) => ({
        number,
        at: Math.round((at * 60_000) / busier) / 60_000,
      })),
    }
    expect(arrivalsIn(scenario)).toEqual(arrivalsIn(history))
  }
})

test('a week has 168 hours', () => {
  const calendar = calendarOf(history)
  expect(calendar && arrivalsByHour([], calendar)).toHaveLength(168)
})

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
