/** Forecasts of small lines: what a queue has shown decides what is told. */

import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  hasSeenEnough,
  mostArrivals,
  mostLengths,
  mostVerdicts,
  copyOf,
  present,
} from './observed.ts'
import { estimateIn, type Forecast, calibrated } from './estimate.ts'
import { Draws, Lengths, ascending, nextQuantile } from './draws.ts'
import { type CommandBody, Engine, type QueueView, createdQueue } from '../../engine/index.ts'
import { type RawForecast, forecastOf } from './forecast.ts'
import { Observer } from './forecaster.ts'

/** A queue of which thirty have merged, each after a run of ten minutes. */
function known(set: ConstructorParameters<typeof ObservedStory>[0] = {}): ObservedStory {
  const story = new ObservedStory({ concurrency: 2, ...set })
  story.merge(30)
  return story
}

/** Minutes, without the seconds of a merge. */
const whole = (minutes: number | undefined): number => Math.round(minutes ?? NaN)

describe('given runs that always took ten minutes', () => {
  test('one whose run has lasted four minutes lands in six', () => {
    const story = known()
    story.submit(1)
    story.wait(4)
    const { low, median, high } = story.forecast().get(1) ?? {}
    expect([low, median, high].map(whole)).toEqual([6, 6, 6])
  })

  test('two slots make the third wait for a run of the first two', () => {
    const story = known()
    story.submit(1, 2, 3)
    const forecast = story.forecast()
    expect([1, 2, 3].map((number) => whole(forecast.get(number)?.median))).toEqual([10, 10, 20])
  })

  test('a run that outlasts all others is expected to go on', () => {
    const story = known()
    story.submit(1)
    story.wait(15)
    expect(story.forecast().get(1)?.low).toBeGreaterThan(0)
  })

  test('the same task gives the same forecast', () => {
    const story = known()
    story.submit(1, 2, 3)
    expect(story.forecast()).toEqual(story.forecast())
  })
})

describe('given failures', () => {
  test('one that waits for its bisection lands less surely than one that has passed all', () => {
    const story = known({ batch: true, batchingMinSize: 3, concurrency: 1 })
    story.submit(1, 2, 3)
    const before = story.forecast().get(1)?.lands ?? 0
    story.wait(10)
    story.end('failed')
    const after = story.forecast().get(1)?.lands ?? 0
    expect(before).toBeGreaterThan(0.85)
    expect(after).toBeLessThan(before - 0.1)
  })

  test('when a bisection has cleared the first of two, the other one hardly lands', () => {
    const set = { batch: true, batchingMinSize: 2, concurrency: 1, bisectionConcurrency: 1 }
    const story = known({ ...set, policy: 'adaptive' })
    // The two become a batch because another one is in the line.
    story.submit(3, 1, 2)
    story.wait(10)
    story.end('passed')
    story.wait(10)
    story.end('failed')
    story.wait(10)
    // The bisection tests the first alone.
    story.end('passed')
    expect(story.queue.pullRequests[1]?.state).toBe('MERGED')
    expect(story.forecast().get(2)?.lands).toBeLessThan(0.7)
  })
})

describe('nobody is told what cannot be known', () => {
  test('with fewer than twenty runs a queue has not shown enough', () => {
    const story = new ObservedStory()
    story.merge(19)
    expect(hasSeenEnough(story.observer.observed)).toBe(false)
    story.merge(1)
    expect(hasSeenEnough(story.observer.observed)).toBe(true)
  })

  test('of a paused queue only those whose run goes on get a forecast', () => {
    const story = known({ concurrency: 1 })
    story.submit(1, 2)
    story.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
    expect([...story.forecast().keys()]).toEqual([1])
  })

  test('one that is not ready gets none', () => {
    const story = known()
    story.send({ type: 'reportPullRequest', number: 1, mergeable: false })
    story.submit(1, 2)
    expect([...story.forecast().keys()]).toEqual([2])
  })
})

// What an observer keeps of a queue.

test('runs that were cancelled count as longer, and lost runs not at all', () => {
  const story = new ObservedStory({ concurrency: 1 })
  story.submit(1)
  story.wait(3)
  story.send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  story.submit(2)
  story.wait(10)
  story.end('errored')
  story.send({ type: 'cancelPullRequest', number: 2, reason: 'USER_REQUESTED' })
  story.submit(3)
  story.wait(8)
  story.end('passed')
  expect(story.observer.observed.lengths).toEqual([
    { ms: 180_000, isWhole: false },
    { ms: 480_000, isWhole: true },
  ])
})

test('what is kept is bounded, and the newest is kept', () => {
  const story = new ObservedStory({ concurrency: 1 })
  story.merge(1000)
  const { verdicts, lengths, arrivals, merged } = story.observer.observed
  expect([verdicts.length, lengths.length, arrivals.length]).toEqual([
    mostVerdicts,
    mostLengths,
    mostArrivals,
  ])
  expect(merged.length).toBeLessThanOrEqual(2 * mostVerdicts)
  const last = verdicts.at(-1)?.contents ?? []
  expect(last).toEqual([story.queue.pullRequests[11_000]?.submission])
})

test('a submission is remembered as it was asked for', () => {
  const story = new ObservedStory()
  story.send({ type: 'setImpactedTargets', number: 1, targets: ['web'] })
  story.send({ type: 'submitPullRequest', number: 1, priority: 0, noBatch: true })
  story.submit(2)
  expect(story.observer.observed.arrivals).toMatchObject([
    { priority: 0, noBatch: true, targets: ['web'] },
    { priority: null, noBatch: false, targets: null },
  ])
})

// What people are told about one pull request.

const running = { state: 'RUNNING' } as const
const inLine = { number: 7, state: 'TESTING', home: { in: 'group', group: 1 } } as const
const waiting = { number: 7, state: 'PENDING', home: { in: 'order' } } as const

function told(forecast: Forecast) {
  return { madeAt: Date.parse('2026-03-02T12:00:20Z'), byNumber: new Map([[7, forecast]]) }
}

const soon = told({ low: 10, median: 20, high: 45, lands: 0.94 })
const endless = told({ low: 10, median: 20, high: Infinity, lands: 1 })

test('instants are told to the minute, and the chance to land in tenths', () => {
  expect(estimateIn(running, inLine, soon)).toEqual({
    kind: 'range',
    from: '2026-03-02T12:10:00.000Z',
    median: '2026-03-02T12:20:00.000Z',
    to: '2026-03-02T12:45:00.000Z',
    lands: 0.9,
  })
})

test.each([
  ['fewer than 20 test runs', running, inLine, 'too few runs'],
  ['too many pull requests', running, inLine, 'too long'],
  ['the queue is PAUSED', { state: 'PAUSED' }, waiting, soon],
  ['the queue is DRAINING', { state: 'DRAINING' }, waiting, soon],
  ['the queue is PAUSED', { state: 'PAUSED' }, inLine, endless],
  ['more than a day', { state: 'DRAINING' }, inLine, endless],
  ['more than a day', running, inLine, endless],
] as const)('says why nobody can know: %s', (words, queue, pullRequest, forecasts) => {
  const estimate = estimateIn(queue, pullRequest, forecasts)
  expect(estimate).toMatchObject({ kind: 'unknown', why: expect.stringContaining(words) })
})

test('says nothing about one that is not ready, has left, or is too far behind', () => {
  const notReady = { number: 7, state: 'NOT_READY', home: { in: 'order' } } as const
  const left = { number: 7, state: 'MERGED', home: { in: 'nowhere' } } as const
  expect(estimateIn(running, notReady, soon)).toBeNull()
  expect(estimateIn(running, left, soon)).toBeNull()
  expect(estimateIn(running, { ...waiting, number: 900 }, soon)).toBeNull()
})

const anyMinutes = fc.double({ min: 0, max: 10_000, noNaN: true })
const range = fc.array(anyMinutes, { minLength: 3, maxLength: 3 }).map((values) => {
  const [low = 0, median = 0, high = 0] = values.toSorted((a, b) => a - b)
  return { low, median, high }
})

test('a calibrated range is in order, and never before now', () => {
  fc.assert(
    fc.property(range, (each) => {
      const { low, median, high } = calibrated(each, { low: -1.15, median: -0.08, high: 1 })
      expect(low).toBeGreaterThanOrEqual(0)
      expect(median).toBeGreaterThanOrEqual(low)
      expect(high).toBeGreaterThanOrEqual(median)
    }),
  )
})

// How long runs take, as drawn from those that were seen.

const wholeRun = (ms: number) => ({ ms, isWhole: true })

test('a run is as long as one of those that were seen', () => {
  const lengths = new Lengths([300, 100, 200].map((ms) => wholeRun(ms)))
  const draws = new Draws('seen')
  const drawn = new Set(Array.from({ length: 200 }, () => lengths.draw(0, draws)))
  expect([100, 200].every((ms) => drawn.has(ms))).toBe(true)
})

test('runs that were cancelled early make long ones more probable', () => {
  const seen = Array.from({ length: 20 }, (_, index) => wholeRun(index < 10 ? 100 : 1000))
  const cancelled = Array.from({ length: 20 }, () => ({ ms: 500, isWhole: false }))
  const shareOfLong = (lengths: Lengths): number => {
    const draws = new Draws('share')
    const drawn = Array.from({ length: 1000 }, () => lengths.draw(0, draws))
    return drawn.filter((ms) => ms >= 1000).length / drawn.length
  }
  expect(shareOfLong(new Lengths(seen))).toBeCloseTo(0.5, 1)
  expect(shareOfLong(new Lengths([...seen, ...cancelled]))).toBeGreaterThan(0.7)
})

test('a run never ends before the time that it has lasted', () => {
  const seen = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 1e7 }), isWhole: fc.boolean() }))
  fc.assert(
    fc.property(seen, fc.integer({ min: 0, max: 2e7 }), fc.string(), (lengths, elapsed, seed) => {
      expect(new Lengths(lengths).draw(elapsed, new Draws(seed))).toBeGreaterThanOrEqual(elapsed)
    }),
  )
})

// Quantiles of few draws, and what they promise about the next one.

const trials = Array.from({ length: 5000 }, (_, index) => index)

test.each([10, 20, 60])('of %i draws, one more is below the quantile as often as it says', (n) => {
  const draws = new Draws('quantiles')
  const below = trials.filter(() => {
    const sorted = ascending(Array.from({ length: n }, () => draws.unit()))
    return draws.unit() < nextQuantile(sorted, 0.9)
  })
  // The quantile of ten values between the least and the greatest would give 0.83.
  expect(Math.abs(below.length / trials.length - 0.9)).toBeLessThan(0.015)
})

test('beyond the least and the greatest of few draws nothing is known', () => {
  expect([0.1, 0.5, 0.9].map((share) => nextQuantile([3, 5, 9], share))).toEqual([3, 5, 9])
})

test('a draw that never ends makes the quantile beside it endless', () => {
  expect(nextQuantile([1, 2, Infinity], 0.6)).toBe(Infinity)
  expect(nextQuantile([1, 2, Infinity], 0.5)).toBe(2)
})

// A queue in tests that an observer follows, as the server follows one.

const minuteMs = 60_000

/** All test runs take so long, unless the story ends them otherwise. */
const runMinutes = 10

export class ObservedStory {
  readonly observer: Observer
  readonly #engine: Engine
  #now = 0
  #merged = 0

  constructor(set: Parameters<typeof createdQueue>[0]['set'] = {}) {
    const command = { type: 'createQueue', incarnation: 'x', set } as const
    this.#engine = new Engine(createdQueue(command, 0), {
      clock: { wakeAt: () => undefined },
      testRunner: { start: () => undefined, cancel: () => undefined },
    })
    this.observer = new Observer(this.queue)
    this.#engine.subscribe(({ at }, events) => {
      this.observer.read(at, events, (number) => this.queue.impactedTargets[number] ?? null)
    })
  }

  get queue(): QueueView {
    return this.#engine.queue
  }

  send(body: CommandBody): void {
    const outcome = this.#engine.dispatch({ ...body, at: this.#now })
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }

  wait(minutes: number): void {
    this.#now += minutes * minuteMs
  }

  submit(...numbers: readonly number[]): void {
    for (const number of numbers) this.send({ type: 'submitPullRequest', number })
  }

  /** Ends all runs in progress. */
  end(outcome: 'passed' | 'failed' | 'errored'): void {
    for (const id of Object.keys(this.queue.testRuns)) {
      this.send({ type: 'finishTestRun', testRun: Number(id), outcome })
    }
  }

  /** So many pull requests pass and merge, one after the other. */
  merge(count: number): void {
    for (let number = 1; number <= count; number++) {
      this.submit(10_000 + ++this.#merged)
      this.wait(runMinutes)
      this.end('passed')
    }
  }

  forecast(simulations = 60): Map<number, RawForecast> {
    return forecastOf({
      copy: copyOf(this.queue, present(this.queue)),
      now: this.#now,
      observed: this.observer.observed,
      seed: 'story',
      simulations,
    })
  }
}
