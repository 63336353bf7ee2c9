import { describe, expect, test } from 'vitest'
import { simulate } from '../../../../sim/run/simulate.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { areaOf, foldedSlots } from '../picture/picture.tsx'
import { clock, progressWords } from '../picture/player.ts'
import { FilmMaker } from './film-maker.ts'
import { busiestInstant, mostIn, reelOf, sceneAt, stepFrom } from './film.ts'
import type { Reel, Scene, FilmedRun } from './film.ts'

const minute = 60_000

function filmed(scenario: Scenario): Reel {
  const maker = new FilmMaker()
  return reelOf(maker.film(simulate(scenario, { observers: [maker.observer] })))
}

/** Two slots, runs of ten minutes; 2 breaks. */
const three: Scenario = {
  name: 'three',
  queue: { concurrency: 2 },
  suite: { minutes: 10 },
  pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }],
}

const under = (scene: Scene): unknown =>
  scene.slots.map(({ run, isOver }) => (run && !isOver ? run.tested : null))

describe('a film of three pull requests in two slots', () => {
  const reel = filmed(three)

  test('at the start two are tested and one waits', () => {
    const scene = sceneAt(reel, 5 * minute)
    expect(under(scene)).toEqual([[1], [2]])
    expect(scene.resting.waiting).toEqual([3])
    expect(scene).toMatchObject({ inQueue: 3, testing: 2, left: [] })
  })

  test('after ten minutes 1 has merged and 2 has failed, each with its slot’s ending in view', () => {
    const scene = sceneAt(reel, 10 * minute)
    expect(scene.counts).toEqual({ MERGED: 1, FAILED: 1, CANCELLED: 0 })
    expect(scene.left).toEqual([
      { number: 2, at: 10 * minute, end: 'FAILED' },
      { number: 1, at: 10 * minute, end: 'MERGED' },
    ])
    expect(under(scene)).toEqual([[3], null])
    expect(scene.slots[1]).toMatchObject({ isOver: true, run: { ending: 'failed' } })
  })

  test('at the end the queue is empty', () => {
    const scene = sceneAt(reel, reel.film.endedAt)
    expect(scene).toMatchObject({ inQueue: 0, counts: { MERGED: 2, FAILED: 1 } })
  })

  test('steps go from change to change and stay at the ends', () => {
    expect(stepFrom(reel, 0, 1)).toBe(10 * minute)
    expect(stepFrom(reel, 15 * minute, -1)).toBe(10 * minute)
    expect(stepFrom(reel, reel.film.endedAt, 1)).toBe(reel.film.endedAt)
    expect(stepFrom(reel, 0, -1)).toBe(0)
  })

  test('is busiest when all three are there', () => {
    expect(busiestInstant(reel.film)).toBe(0)
  })
})

test('given a stack, says who waits for whom until that has left', () => {
  const { pullRequests: _listed, ...rest } = three
  const stacked = [{ number: 1 }, { number: 2, dependsOn: [1] }, { number: 3, dependsOn: [2] }]
  const reel = filmed({ ...rest, pullRequests: stacked })
  expect(sceneAt(reel, 0).below).toEqual(
    new Map([
      [2, [1]],
      [3, [2]],
    ]),
  )
  expect(sceneAt(reel, 10 * minute).below).toEqual(new Map())
  expect(sceneAt(reel, 10 * minute).inQueue).toBe(1)
})

test('given a storm, at every change as many are in the queue as the film counted', () => {
  const storm: Scenario = {
    name: 'storm',
    queue: { concurrency: 4, batch: true, batchingMinSize: 3, canOptimisticallyMerge: true },
    traffic: { count: 60, arrivals: { perHour: 30 }, breakRate: 0.15, cancelRate: 0.1 },
    suiteFlakes: { perRun: 0.2 },
  }
  const reel = filmed(storm)
  for (const { at, count } of reel.film.depth) {
    const { inQueue, testing, resting, counts } = sceneAt(reel, at)
    const rest = Object.values(resting).flat()
    expect(inQueue).toBe(count)
    expect(testing + rest.length).toBe(inQueue)
    const submitted = reel.film.pullRequests.filter(
      ({ phases: [first] }) => first && first.at <= at,
    )
    const gone = counts.MERGED + counts.FAILED + counts.CANCELLED
    expect(gone + inQueue).toBe(submitted.length)
  }
  expect(reel.film.depth.length).toBeGreaterThan(50)
})

const run = (minutes: number): FilmedRun => ({
  id: 1,
  kind: 'main',
  slot: 0,
  tested: [7],
  below: 0,
  ending: 'flaked',
  from: 10 * minute,
  to: (10 + minutes) * minute,
})

test('the clock begins at midnight of the first day', () => {
  expect(clock(0)).toBe('Day 1, 00:00')
  expect(clock((24 * 60 + 61) * minute)).toBe('Day 2, 01:01')
})

test('a run says how long it has taken of how long', () => {
  expect(progressWords(run(10.5), 15.9 * minute)).toBe('5 of 11 min')
  expect(progressWords(run(200), 100 * minute)).toBe('1:30 of 3:20 h')
  expect(progressWords(run(65), 11 * minute)).toBe('0:01 of 1:05 h')
})

test('the strip rises and falls with the queue', () => {
  const depth = [
    { at: 0, count: 1 },
    { at: 50, count: 2 },
    { at: 100, count: 0 },
  ]
  expect(mostIn(depth)).toBe(2)
  expect(areaOf({ depth, endedAt: 100 })).toBe('M0 40H0.0V21.0H500.0V2.0H1000.0V40.0H1000V40z')
})

test('free slots beside each other are one row, of one kind', () => {
  const slot = (kind: 'main' | 'bisection', number: number, isBusy: boolean) => {
    return { kind, slot: number, run: isBusy ? run(5) : null, isOver: false }
  }
  const rows = foldedSlots([
    ...[slot('main', 0, false), slot('main', 1, false), slot('main', 2, true)],
    ...[slot('main', 3, false), slot('bisection', 0, false), slot('bisection', 1, false)],
  ])
  expect(rows.map((row) => [row.kind, row.slot, row.to, row.run !== null])).toEqual([
    ['main', 0, 1, false],
    ['main', 2, 2, true],
    ['main', 3, 3, false],
    ['bisection', 0, 1, false],
  ])
})
