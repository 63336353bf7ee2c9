import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('a queue that gets a code host', () => {
  // E-223
  test('refuses one while anybody is in the line or in a bisection', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 })
    story.submit(1, 2)
    const attach = { type: 'attachHost', codeHost: 'answers' } as const
    expect(story.send(attach)).toEqual({ code: 'line is not empty' })
    story.fail('> 1 2')
    expect(story.queue.line).toEqual([])
    expect(story.send(attach)).toEqual({ code: 'line is not empty' })
    expect(story.queue.codeHost).toBe('merges at once')
  })
})

const forget = (story: Story, ...numbers: number[]): number[] => {
  const before = story.happened('pullRequestForgotten').length
  expect(story.send({ type: 'forget', numbers })).toBeNull()
  return story
    .happened('pullRequestForgotten')
    .slice(before)
    .map(({ number }) => number)
}

// E-211
test('one of a text conflict stays while the other is in the queue', () => {
  const story = new Story()
  story.submit(1)
  story.pass('> 1')
  story.wait(1)
  story.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  story.submit(2)
  story.send({ type: 'reportPullRequest', number: 2, conflictsWith: [1] })
  expect(forget(story, 1)).toEqual([])
  story.cancel(2)
  expect(forget(story, 1)).toEqual([1])
})

// E-211
test('a forgotten one is in no conflict any more, also for the other one', () => {
  const story = new Story({ concurrency: 2 })
  story.submit(1, 2)
  story.send({ type: 'reportPullRequest', number: 2, conflictsWith: [1] })
  story.cancel(1)
  story.cancel(2)
  expect(forget(story, 1)).toEqual([1])
  story.submit(1, 2)
  expect(story.running.at(-1)).toBe('1 > 2')
})

// E-268
test('the targets of one that is still to be submitted stay while somebody depends on it', () => {
  const story = new Story({ mode: 'parallel' })
  story.send({ type: 'setImpactedTargets', number: 1, targets: ['web'] })
  story.submitAs(2, { dependsOn: [1] })
  expect(forget(story, 1)).toEqual([])
  story.cancel(2)
  expect(forget(story, 1)).toEqual([1])
})

// E-211
test('one that only waits to become ready is in the queue', () => {
  const story = new Story({}, { state: 'PAUSED' })
  story.submit(1)
  story.wait(1)
  expect(forget(story, 1)).toEqual([])
  expect(story.stateOf(1)).toBe('NOT_READY')
})

// E-211
test('what was only reported to the code host is forgotten', () => {
  const story = new Story()
  story.send({ type: 'reportPullRequest', number: 1, mergeable: false })
  expect(forget(story, 1)).toEqual([1])
  expect(story.queue.hostFacts).toEqual({})
})

// E-211
test('that a forgotten one was green on the tip is forgotten too', () => {
  const story = new Story({ directMergeMode: 'always' })
  story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
  expect(forget(story, 1)).toEqual([1])
  story.submit(1)
  expect(story.running).toEqual(['> 1'])
})

// E-211
test('one that left after a member of a bisection was submitted stays, also if that is proven', () => {
  const story = new Story({ batch: true, batchingMinSize: 3, concurrency: 1 })
  story.submit(1)
  story.wait(1)
  story.urgent(9)
  story.cancel(9)
  story.wait(1)
  story.submit(2, 3)
  story.fail('> 1 2 3')
  expect(forget(story, 9)).toEqual([])
  story.send({ type: 'reportPush' })
  story.pass('bisect > 1')
  expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'TESTING'])
  expect(forget(story, 9)).toEqual([])
  story.fail('bisect 1 > 2')
  story.pass('bisect 1 > 3')
  story.pass('> 1 3')
  expect(forget(story, 9)).toEqual([9])
})
