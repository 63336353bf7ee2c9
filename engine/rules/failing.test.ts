import { describe, expect, test } from 'vitest'
import { Story, batches, lanes } from '../testing/story.ts'

describe('errors and timeouts', () => {
  // E-62
  test('a group that waits for a retry keeps its position, and other groups use its slot', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    story.error('> 1')
    expect(story.running).toEqual(['1 > 2'])
    story.wait(2)
    expect(story.running).toEqual(['1 > 2'])
    story.pass('1 > 2')
    expect(story.running).toEqual(['> 1'])
    story.pass('> 1')
    expect(story.merged).toEqual([1, 2])
  })
})

/** Pull request 9 passes alone, and its run reports that test `clock` passed only when repeated. */
function reportFlakyClock(story: Story): void {
  story.submitAs(9, { noBatch: true })
  const flakyTests = [{ name: 'clock' }]
  story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
}

// E-79
test('a result that a bisection knows is not reused by a main run or another bisection, although the composition is the same', () => {
  const story = batches(2, { concurrency: 2 })
  reportFlakyClock(story)
  story.submit(1, 2, 3, 4)
  story.fail('> 1 2', 'clock')
  story.pass('bisect > 1 2')
  story.fail('> 3 4', 'clock')
  story.cancel(3)
  story.cancel(4)
  expect(story.running).toEqual(['> 1 2'])
  story.fail('> 1 2')
  expect(story.running).toEqual(['bisect > 1'])
  const sameRuns = story
    .happened('testRunStarted')
    .filter(({ run: { base, tested } }) => base.length === 0 && tested.join() === '1,2')
  expect(sameRuns).toHaveLength(3)
  expect(new Set(sameRuns.map(({ run }) => run.composition)).size).toBe(1)
})

describe('a bisection', () => {
  // E-156
  test('begins, proves and convicts while the queue is PAUSED', () => {
    const story = batches(2)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.update({ state: 'PAUSED' })
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual([])
    const single = new Story()
    single.submit(1)
    single.update({ state: 'PAUSED' })
    single.fail('> 1')
    expect(single.stateOf(1)).toBe('FAILED')
  })
})

// E-155
test('an urgent pull request that shares no target goes to the head and restarts nobody', () => {
  const story = lanes({ 1: ['a'], 2: ['a'], 9: ['b'] }, { concurrency: 2 })
  story.submit(1, 2)
  story.urgent(9)
  expect(story.running).toEqual(['> 1', '1 > 2'])
  story.pass('> 1')
  expect(story.running).toEqual(['1 > 2', '> 9'])
})

describe('in parallel mode', () => {
  // E-154
  test('a group does not depend on one that it shared a target with only through a third', () => {
    const story = lanes({ 1: ['a', 'b'], 2: ['b', 'c'], 3: ['c'] })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
    story.touches(2, ['c'])
    story.restart(2)
    expect(story.running).toEqual(['> 1', '1 2 > 3', '> 2'])
    story.pass('> 2')
    story.pass('1 2 > 3')
    expect(story.merged).toEqual([2, 3])
  })

  // E-157
  test('of two that may merge directly, the one that was reported green first goes first', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] }, { directMergeMode: 'always', concurrency: 1 })
    story.update({ state: 'PAUSED' })
    story.submit(1, 2)
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.update({ state: 'RUNNING' })
    expect(story.merged).toEqual([2])
    expect(story.running).toEqual(['> 1'])
  })
})
