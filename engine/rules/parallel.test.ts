import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

describe('groups form a graph by shared targets', () => {
  test('frontend, backend and docs side by side; one that touches two is on top of both', () => {
    const story = lanes({
      1: ['frontend'],
      2: ['backend'],
      3: ['docs'],
      4: ['frontend', 'backend'],
    })
    story.submit(1, 2, 3, 4)
    expect(story.running).toEqual(['> 1', '> 2', '> 3', '1 2 > 4'])
    story.pass('> 3')
    story.pass('> 2')
    expect(story.merged).toEqual([3, 2])
    story.pass('1 2 > 4')
    expect(story.stateOf(4)).toBe('TESTS_PASSED')
    story.pass('> 1')
    expect(story.merged).toEqual([3, 2, 1, 4])
  })

  test('a run holds what its predecessors depend on as well', () => {
    const story = lanes({ 1: ['a'], 2: ['a', 'b'], 3: ['b'] })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
  })

  test('ALL shares with everything, an empty list with nothing but ALL', () => {
    const story = lanes({ 1: ['a'], 2: [], 3: 'ALL', 4: [], 5: ['b'] })
    story.submit(1, 2, 3, 4, 5)
    expect(story.running).toEqual(['> 1', '> 2', '1 2 > 3', '1 2 3 > 4', '1 2 3 > 5'])
  })

  test('a name that means something to objects is a target like any other', () => {
    const story = lanes({ 1: ['__proto__'], 2: ['constructor'], 3: ['__proto__'] })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '> 2', '1 > 3'])
  })

  test('lanes wait for each other for nothing but slots', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] }, { concurrency: 2 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '> 2'])
    story.fail('> 1')
    expect(story.running).toEqual(['> 2', '> 3'])
    expect(story.happened('groupRestarted')).toEqual([])
  })
})

describe('failures stay in their lane', () => {
  test('one that fails restarts those that depend on it, and nobody else', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'], 4: ['b'] })
    story.submit(1, 2, 3, 4)
    story.fail('> 1')
    expect(story.running).toEqual(['> 2', '2 > 4', '> 3'])
  })

  test('a failure waits for the predecessors of its lane only', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'] })
    story.submit(1, 2, 3)
    story.fail('2 > 3')
    story.pass('> 2')
    expect(story.states(1, 3)).toEqual(['TESTING', 'FAILED'])
  })

  test('the hold notes successors that depend on it', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'] }, { pendingFailureDepth: 1 })
    story.submit(1, 2, 3)
    story.fail('> 1')
    story.fail('> 2')
    expect(story.states(1, 2)).toEqual(['PENDING_FAILURE', 'FAILED'])
    story.pass('1 > 3')
    expect(story.states(1, 3)).toEqual(['FAILED', 'TESTING'])
  })

  test('optimistic merging clears what a run contains, not what stands beside it', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'] }, { canOptimisticallyMerge: true })
    story.submit(1, 2, 3)
    story.pass('1 > 3')
    expect(story.merged).toEqual([1, 3])
    expect(story.running).toEqual(['> 2'])
  })

  test('a bisection holds up those that share a target, and nobody else', () => {
    const story = lanes(
      { 1: ['a'], 2: ['a'], 3: ['b'], 4: ['b'], 5: ['a'] },
      { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
    )
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2')
    story.submitAs(5, { noBatch: true })
    story.pass('> 5')
    story.pass('> 3 4')
    expect(story.merged).toEqual([3, 4])
    expect(story.stateOf(5)).toBe('TESTS_PASSED')
    story.fail('bisect > 1')
    story.pass('bisect > 2')
    expect(story.merged).toEqual([3, 4, 5])
  })

  test('survivors merge at once although another lane has merged meanwhile', () => {
    const story = lanes(
      { 1: ['a'], 2: ['a'], 3: ['b'] },
      { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 },
    )
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    story.fail('> 1 2')
    story.pass('> 3')
    story.fail('bisect > 1')
    story.pass('bisect > 2')
    expect(story.merged).toEqual([3, 2])
    expect(story.running).toEqual([])
  })

  test('survivors are tested again after a person merged past the queue, whatever that touched', () => {
    const story = lanes(
      { 1: ['a'], 2: ['a'], 3: ['b'] },
      { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5, bisectionConcurrency: 1 },
    )
    story.submit(1, 2, 3)
    story.fail('> 1 2')
    story.send({ type: 'reportManualMerge', number: 3 })
    story.pass('bisect > 1')
    expect(story.merged).toEqual([3])
    expect(story.running).toEqual(['> 1'])
  })

  test('survivors wait while anything stands on their tip, if only through somebody else', () => {
    const story = lanes(
      { 1: ['a'], 2: ['a'], 3: ['a', 'b'], 4: ['b'] },
      { batch: true, batchingMinSize: 2, bisectionConcurrency: 1, concurrency: 2 },
    )
    story.submit(1, 2)
    story.fail('> 1 2')
    story.submitAs(3, { noBatch: true })
    story.submitAs(4, { noBatch: true })
    story.error('> 3')
    story.fail('bisect > 1')
    story.pass('bisect > 2')
    expect(story.merged).toEqual([])
    expect(story.running).toEqual(['3 > 4', '3 > 2'])
  })
})

describe('an urgent pull request in parallel mode', () => {
  test('interrupts those that depend on it, directly or not, and nobody else', () => {
    const story = lanes({ 1: ['a'], 2: ['a', 'b'], 3: ['b'], 4: ['c'], 9: ['a'] })
    story.submit(1, 2, 3, 4)
    story.urgent(9)
    expect(story.running).toEqual(['> 4', '> 9', '9 > 1', '9 1 > 2', '9 1 2 > 3'])
  })

  test('stays behind what is being merged, wherever that stands', () => {
    const story = new Story({ mode: 'parallel', concurrency: 9 }, { codeHost: 'answers' })
    story.touches(1, ['a'])
    story.touches(2, ['b'])
    story.touches(9, ['a', 'b'])
    story.submit(1, 2)
    story.pass('> 2')
    story.urgent(9)
    expect(story.running).toEqual(['2 > 9', '2 9 > 1'])
    story.answerMerge(2)
    story.pass('2 > 9')
    expect(story.mergesAsked).toEqual([2, 9])
  })
})

describe('direct merge in parallel mode', () => {
  test('needs nothing ahead that shares a target, whoever else is busy', () => {
    const story = lanes(
      { 1: ['a'], 2: ['b'], 3: ['a'], 4: [] },
      { directMergeMode: 'always', concurrency: 1 },
    )
    story.submit(1)
    for (const number of [2, 3, 4]) {
      story.send({ type: 'reportPullRequest', number, greenOnTip: true })
    }
    story.submit(3, 2)
    expect(story.states(2, 3)).toEqual(['MERGED', 'PENDING'])
    story.submit(4)
    expect(story.stateOf(4)).toBe('PENDING')
  })
})

describe('switching to parallel mode and back', () => {
  test('those whose targets are known keep their place, the others fall back to NOT_READY', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2, 3, 4)
    story.touches(2, ['a'])
    story.touches(4, ['b'])
    story.update({ mode: 'parallel', concurrency: 4 })
    expect(story.states(2, 3, 4)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    story.pass('> 1')
    expect(story.states(2, 3, 4)).toEqual(['TESTING', 'NOT_READY', 'TESTING'])
    expect(story.running).toEqual(['> 2', '> 4'])
    story.update({ mode: 'single' })
    story.pass('> 4')
    story.pass('> 2')
    expect(story.queue.state).toBe('RUNNING')
    expect(story.stateOf(3)).toBe('TESTING')
  })
})
