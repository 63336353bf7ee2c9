import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { played, scenarioOf, type Sketch } from '../../sim/testing/played.ts'
import type { ComparedFigures } from './figures.ts'
import { strategies } from './index.ts'

function play(name: string, sketch: Sketch): ComparedFigures {
  const strategy = strategies.find((each) => each.name === name)
  if (!strategy) throw new Error(`no strategy ${name}`)
  return strategy.play(scenarioOf(sketch))
}

/** Four at once, the second breaks; every run takes ten minutes. */
const four: Sketch = {
  queue: { concurrency: 4, batch: true, batchingMinSize: 4 },
  suite: { minutes: 10 },
  pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }, { number: 4 }],
}

describe('four at once, the second of them breaks', () => {
  test('one at a time: four runs, the last merges after forty minutes', () => {
    const { testRuns, merged, failed, timeInQueueMinutes, peakRuns } = play('one at a time', four)
    expect({ testRuns, merged, failed, peakRuns }).toEqual({
      testRuns: 4,
      merged: 3,
      failed: 1,
      peakRuns: 1,
    })
    expect(timeInQueueMinutes.max).toBe(40)
  })

  test.each(['GitHub-like', 'GitLab-like'])('%s: the two behind start over once', (name) => {
    const { testRuns, merged, healthyEvicted, timeInQueueMinutes } = play(name, four)
    expect({ testRuns, merged, healthyEvicted }).toEqual({
      testRuns: 6,
      merged: 3,
      healthyEvicted: 0,
    })
    expect(timeInQueueMinutes.max).toBe(20)
  })

  test('GitHub-like, last green: the group waits, the breaking one leaves as its head', () => {
    const { testRuns, merged, timeInQueueMinutes } = play('GitHub-like, last green', four)
    // 1 merges at once; 2, 3 and 4 have all failed, so 2 leaves and the others are built anew.
    expect({ testRuns, merged, max: timeInQueueMinutes.max }).toEqual({
      testRuns: 6,
      merged: 3,
      max: 20,
    })
  })

  test('Zuul-like: the two behind move to the nearest that does not fail', () => {
    const { testRuns, merged, timeInQueueMinutes } = play('Zuul-like', four)
    expect({ testRuns, merged, max: timeInQueueMinutes.max }).toEqual({
      testRuns: 6,
      merged: 3,
      max: 20,
    })
  })

  test('bors-like: the whole, then halves; the half that fails is halved again', () => {
    const { testRuns, merged, failed, timeInQueueMinutes, peakRuns } = play('bors-like', four)
    // 1..4, then 1 and 2, then 3 and 4, then 1, then 2: each half waits ten seconds while it can.
    expect({ testRuns, merged, failed, peakRuns }).toEqual({
      testRuns: 5,
      merged: 3,
      failed: 1,
      peakRuns: 1,
    })
    expect(timeInQueueMinutes.max).toBeCloseTo(40 + 2 / 6, 9)
  })

  test('oracle: everybody once, nobody on top of the one that breaks', () => {
    const { testRuns, merged, timeInQueueMinutes } = play('oracle', four)
    expect({ testRuns, merged, max: timeInQueueMinutes.max }).toEqual({
      testRuns: 4,
      merged: 3,
      max: 10,
    })
  })
})

describe('what tells them apart', () => {
  /** The first breaks and takes twenty minutes to say so; the second is tested on top of it. */
  const slowCulprit: Sketch = {
    queue: { concurrency: 2 },
    pullRequests: [
      { number: 1, breaks: true, testMinutes: 20 },
      { number: 2, testMinutes: 5 },
    ],
  }

  test.each(['GitHub-like', 'GitLab-like'])('%s evicts for the fault of one ahead', (name) => {
    expect(play(name, slowCulprit)).toMatchObject({ merged: 0, healthyEvicted: 1 })
  })

  test.each(['Zuul-like', 'Mergeyard'])('%s waits until the one ahead is known', (name) => {
    expect(play(name, slowCulprit)).toMatchObject({ merged: 1, healthyEvicted: 0 })
  })

  test('GitHub-like, last green: a flake merges along with the one behind it', () => {
    const flake: Sketch = {
      queue: { concurrency: 2 },
      pullRequests: [{ number: 1, flakyRuns: [1] }, { number: 2 }],
    }
    expect(play('GitHub-like', flake)).toMatchObject({ merged: 1, healthyEvicted: 1 })
    expect(play('GitHub-like, last green', flake)).toMatchObject({ merged: 2, testRuns: 2 })
  })

  test('bors-like: who comes during a run joins the batch that waits', () => {
    const late: Sketch = {
      pullRequests: [{ number: 1 }, { number: 2, at: 2 }, { number: 3, at: 4 }],
    }
    expect(play('bors-like', late)).toMatchObject({ merged: 3, testRuns: 2 })
  })

  test('Zuul-like: the window halves with each failure, down to three, and grows with each merge', () => {
    const { testRuns, failed, merged, timeInQueueMinutes } = play('Zuul-like', {
      queue: { concurrency: 100 },
      pullRequests: Array.from({ length: 24 }, (_, index) => ({
        number: index + 1,
        breaks: index < 5,
      })),
    })
    // Ten minutes each: 20 runs, 10, 5, 3, 3, then all pass: 3, 6, and the last 10.
    expect({ testRuns, failed, merged }).toEqual({ testRuns: 60, failed: 5, merged: 19 })
    expect(timeInQueueMinutes.max).toBe(80)
  })

  test('the oracle repeats a flake, and evicts nobody for it', () => {
    const flake: Sketch = { pullRequests: [{ number: 1, flakyRuns: [1] }] }
    expect(play('oracle', flake)).toMatchObject({ merged: 1, testRuns: 2, healthyEvicted: 0 })
  })
})

test('text conflicts: the later one is refused, by everybody', () => {
  const conflict: Sketch = {
    pullRequests: [{ number: 1 }, { number: 2, conflictsWith: [1] }, { number: 3 }],
  }
  for (const { name, play: playIt } of strategies) {
    const { merged, failed, healthyEvicted } = playIt(scenarioOf(conflict))
    expect({ name, merged, failed, healthyEvicted }).toEqual({
      name,
      merged: 2,
      failed: 1,
      healthyEvicted: 0,
    })
  }
})

const traffic = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  queue: fc.record({
    concurrency: fc.integer({ min: 1, max: 6 }),
    batch: fc.boolean(),
    batchingMinSize: fc.integer({ min: 1, max: 5 }),
  }),
  suite: fc.constantFrom({ minutes: 10 }, { minutes: { median: 10, p95: 30 } } as const),
  traffic: fc.record({
    count: fc.integer({ min: 1, max: 40 }),
    arrivals: fc.record({ perHour: fc.integer({ min: 2, max: 60 }) }),
    breakRate: fc.constantFrom(0, 0.1, 0.4),
    conflictRate: fc.constantFrom(0, 0.1),
  }),
})

describe('whatever comes', () => {
  test('everybody ends, the branch holds, and no more runs than slots', () => {
    const flaky = fc.record({ perRun: fc.constantFrom(0, 0.2) })
    fc.assert(
      fc.property(traffic, flaky, (sketch, suiteFlakes) => {
        for (const { name, play: playIt } of strategies) {
          const found = playIt(scenarioOf({ ...sketch, suiteFlakes }))
          expect(found.merged + found.failed, name).toBe(sketch.traffic.count)
          expect(found, name).toMatchObject({ badMerged: 0, brokenMainMinutes: 0 })
          // Mergeyard's bisections have slots of their own, here as many again.
          const slots = sketch.queue.concurrency * (name === 'Mergeyard' ? 2 : 1)
          expect(found.peakRuns, name).toBeLessThanOrEqual(slots)
        }
      }),
      { numRuns: 60, seed: 1 },
    )
  })

  test('without flakes, one at a time evicts exactly those that break', () => {
    fc.assert(
      fc.property(traffic, (sketch) => {
        for (const name of ['one at a time', 'Zuul-like', 'bors-like', 'oracle']) {
          expect(play(name, sketch), name).toMatchObject({ healthyEvicted: 0 })
        }
      }),
      { numRuns: 60, seed: 2 },
    )
  })

  test('one at a time is, to the millisecond, what Mergeyard does with one slot and no batches', () => {
    fc.assert(
      fc.property(traffic, (sketch) => {
        const single = { ...sketch, queue: { concurrency: 1 }, suiteFlakes: { perRun: 0.1 } }
        const { timeInQueueMinutes, totals } = played(single)
        const found = play('one at a time', single)
        expect(found.timeInQueueMinutes).toEqual(timeInQueueMinutes)
        expect(found.testRuns).toBe(totals.testRuns)
        expect(found.testMinutes).toBe(totals.testMinutes)
        expect(found.healthyEvicted).toBe(totals.healthyEvicted)
      }),
      { numRuns: 60, seed: 3 },
    )
  })
})
