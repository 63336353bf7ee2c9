import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('a target branch that moved during a merge', () => {
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
})
