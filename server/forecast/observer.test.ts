/** What an observer keeps of a queue. */

import { expect, test } from 'vitest'
import { mostArrivals, mostLengths, mostVerdicts } from './observed.ts'
import { ObservedStory } from './testing/observed-story.ts'

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
