/** Forecasts of small lines: what a queue has shown decides what is told. */

import { describe, expect, test } from 'vitest'
import { hasSeenEnough, mostArrivals, mostLengths, mostVerdicts } from './observed.ts'
import { ObservedStory } from './testing/observed-story.ts'

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
