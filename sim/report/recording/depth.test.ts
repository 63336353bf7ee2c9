import { expect, test } from 'vitest'
import { depthBetween } from '../sections/depth.ts'
import { Depth, depthOf, joinedSteps } from './depth.ts'
import { addPhaseChange, newStory } from './story.ts'

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
