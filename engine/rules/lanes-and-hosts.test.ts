import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('in parallel mode', () => {
  // E-88, E-114
  test('members that are proven later merge behind those proven before', () => {
    const targets = { 1: ['a'], 2: ['a'], 3: ['a'], 4: ['a'], 5: ['a'] }
    const batching = { batch: true, batchingMinSize: 5, bisectionConcurrency: 1 }
    const story = lanes(targets, batching, { codeHost: 'answers' })
    story.submit(1, 2, 3, 4, 5)
    story.fail('> 1 2 3 4 5')
    while (story.running.length > 0) story.pass(story.running[0] ?? '')
    expect(story.happened('membersProven').length).toBeGreaterThan(2)
    expect(story.requestedMerges).toEqual([1])
    const inLine = story.queue.line.flatMap((id) => story.queue.groups[id]?.members ?? [])
    expect(inLine).toEqual([1, 2, 3, 4])
    for (const number of [1, 2, 3, 4]) story.answerMerge(number)
    expect(story.requestedMerges).toEqual([1, 2, 3, 4])
  })

  // E-88, E-153
  test('survivors of a bisection wait for an earlier one that shares a target, and for no other', () => {
    const merged = (target: string): number[] => {
      const targets = { 1: ['a'], 2: ['a'], 3: [target], 4: [target] }
      const story = lanes(targets, { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 })
      story.submit(1, 2)
      story.fail('> 1 2')
      story.submit(3, 4)
      story.fail('> 3 4')
      story.update({ bisectionConcurrency: 2 })
      story.pass('bisect > 3')
      return story.merged
    }
    expect(merged('a')).toEqual([])
    expect(merged('b')).toEqual([3])
  })
})

// E-46, E-99
test('a group whose merging has begun goes on in a PAUSED queue after a person has merged its next member', () => {
  const batching = { batch: true, batchingMinSize: 3 }
  const story = new Story(batching, { codeHost: 'answers' })
  story.submit(1, 2, 3)
  story.pass('> 1 2 3')
  story.answerMerge(1)
  story.update({ state: 'PAUSED' })
  story.send({ type: 'reportManualMerge', number: 2 })
  expect(story.requestedMerges).toEqual([1, 2, 3])
})

describe('a direct merge', () => {
  const settings = { directMergeMode: 'always' } as const

  // E-40
  test('of one that impacts all targets waits for a single group in the line', () => {
    const story = lanes({ 1: ['a'], 2: 'ALL' }, settings)
    story.submit(1)
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.submit(2)
    expect(story.merged).toEqual([])
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })

  // E-261
  test('of one that shares no target with what it depends on waits for it all the same', () => {
    const story = lanes({ 1: [], 2: [] }, settings)
    story.submit(1)
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.submitAs(2, { dependsOn: [1] })
    expect(story.merged).toEqual([])
    story.pass('> 1')
    expect(story.merged).toEqual([1])
  })
})

// E-194
test('the line: given a failure aside that is the last already, restarts it where it is', () => {
  const story = new Story({ concurrency: 4, policy: 'adaptive' })
  story.submit(1, 2, 3)
  story.fail('1 2 > 3')
  story.cancel(1)
  expect(story.running).toEqual(['> 2', '2 > 3'])
  expect(story.happened('groupMoved')).toEqual([])
})
