import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('a target branch that moved during a merge', () => {
  // E-208
  test('fails nobody, and no run on the old tip counts, although nobody reports the push', () => {
    const story = new Story({ concurrency: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    story.pass('1 > 2')
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.states(1, 2)).toEqual(['TESTING', 'TESTING'])
    expect(story.running).toEqual(['> 1', '1 > 2'])
    expect(Object.values(story.queue.testRuns).map(({ tip }) => tip)).toEqual([1, 1])

    story.pass('> 1')
    story.answerMerge(1)
    expect(story.merged).toEqual([1])
    expect(story.stateOf(2)).toBe('TESTING')
  })

  // E-109, E-208
  test('restarts the other lanes, and makes nobody merge who was green on the old tip', () => {
    const settings = { directMergeMode: 'always' } as const
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] }, settings, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    story.send({ type: 'reportPullRequest', number: 3, greenOnTip: true })
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    story.submit(3)
    expect(story.running).toEqual(['> 1', '> 2', '> 3'])
  })

  // E-88, E-109, E-208
  test('lets a bisection go on, and what it proves is tested again on the new tip', () => {
    const batches = { batch: true, batchingMinSize: 2, bisectionConcurrency: 1, concurrency: 2 }
    const targets = { 1: ['a'], 2: ['a'], 3: ['b'], 4: ['b'] }
    const story = lanes(targets, batches, { codeHost: 'answers' })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2')
    story.pass('> 3 4')
    story.answerMerge(3, 'TARGET_BRANCH_MOVED')
    story.pass('bisect > 1')
    expect(story.states(1, 2)).toEqual(['TESTING', 'FAILED'])
    expect(story.running).toEqual(['> 3 4', '> 1'])
  })

  // E-208
  test('during two merges is one push', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] }, {}, { codeHost: 'answers' })
    story.submit(1, 2, 3)
    story.pass('> 1')
    story.pass('> 2')
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    const started = story.started.length
    story.answerMerge(2, 'TARGET_BRANCH_MOVED')
    expect(story.started.slice(started)).toEqual(['> 2'])
    // What is asked for after that push tells of another one.
    story.pass('> 1')
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.started.slice(started)).toEqual(['> 2', '> 1', '> 2', '> 3'])
  })

  // E-47, E-208
  test('after the push was reported, only the group that was merging restarts', () => {
    const story = new Story({ concurrency: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    story.send({ type: 'reportPush' })
    const started = story.started.length
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.started.slice(started)).toEqual(['> 1'])
  })

  // E-208
  test('in mid-batch, those that have merged stay merged', () => {
    const story = new Story({ batch: true, batchingMinSize: 3 }, { codeHost: 'answers' })
    story.submit(1, 2, 3)
    story.pass('> 1 2 3')
    story.answerMerge(1)
    story.answerMerge(2, 'TARGET_BRANCH_MOVED')
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'TESTING', 'TESTING'])
    expect(story.running).toEqual(['> 2 3'])
  })

  // E-46, E-208
  test('a cancel stored during the merge takes effect', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    story.cancel(1)
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.states(1, 2)).toEqual(['CANCELLED', 'TESTING'])
  })

  // E-42, E-208
  test('a direct merge is tested instead', () => {
    const story = new Story({ directMergeMode: 'always' }, { codeHost: 'answers' })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1)
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.stateOf(1)).toBe('TESTING')
    expect(story.happened('groupRestarted')).toMatchObject([
      { reason: 'MANUAL_PUSH_TO_TARGET_BRANCH' },
    ])
  })

  // E-91, E-208
  test('a survivor is tested again, and its proof still holds in the bisection', () => {
    const story = new Story(
      { batch: true, batchingMinSize: 3, bisectionConcurrency: 1 },
      { codeHost: 'answers' },
    )
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    story.pass('bisect > 1')
    story.answerMerge(1, 'TARGET_BRANCH_MOVED')
    expect(story.running).toEqual(['bisect 1 > 2', '> 1'])
  })
})
