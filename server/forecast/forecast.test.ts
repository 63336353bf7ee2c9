/** Forecasts of small lines: what a queue has shown decides what is told. */

import { describe, expect, test } from 'vitest'
import { hasSeenEnough } from './observed.ts'
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
