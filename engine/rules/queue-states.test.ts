import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('PAUSED', () => {
  test('takes submissions, which wait, and starts nothing', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1)
    story.update({ state: 'PAUSED' })
    story.submit(2)
    expect(story.states(1, 2)).toEqual(['TESTING', 'NOT_READY'])
    expect(story.running).toEqual(['> 1'])
  })

  test('lets runs go on and keeps their results; nothing merges, and the order is kept', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.update({ state: 'PAUSED' })
    story.pass('1 > 2')
    story.pass('> 1')
    expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'TESTS_PASSED'])
    story.update({ state: 'RUNNING' })
    expect(story.merged).toEqual([1, 2])
  })

  test('starts neither restarts nor bisection runs', () => {
    const story = new Story({ concurrency: 2, batch: true, batchingMinSize: 2 })
    story.submit(1, 2, 3, 4)
    story.update({ state: 'PAUSED' })
    story.fail('> 1 2')
    expect(story.running).toEqual([])
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['bisect > 1', '> 3 4'])
  })

  test('a batch whose first member has merged finishes all the same', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    story.answerMerge(1)
    story.update({ state: 'PAUSED' })
    story.answerMerge(2)
    expect(story.merged).toEqual([1, 2])
  })

  test('back to RUNNING, those who waited are ready by order of submission', () => {
    const story = new Story({ concurrency: 1 }, { state: 'PAUSED' })
    story.submit(3, 1, 2)
    expect(story.states(1, 2, 3)).toEqual(['NOT_READY', 'NOT_READY', 'NOT_READY'])
    story.update({ state: 'RUNNING' })
    expect(story.reasonOf(1)).toBe('MERGE_ITEM_NOW_READY')
    for (const number of [3, 1, 2]) story.pass(`> ${number}`)
    expect(story.merged).toEqual([3, 1, 2])
  })
})

describe('DRAINING', () => {
  test('starts nothing new, merges what passes, and restarts what was in the line', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3)
    story.update({ state: 'DRAINING' })
    story.fail('> 1')
    expect(story.running).toEqual(['> 2'])
    story.pass('> 2')
    expect(story.merged).toEqual([2])
    expect(story.states(3)).toEqual(['PENDING'])
  })

  test('back to RUNNING, those who waited start, whether they were ready before or not', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    story.update({ state: 'DRAINING' })
    story.submit(3)
    story.urgent(2)
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'PENDING', 'NOT_READY'])
    story.pass('> 1')
    expect(story.running).toEqual([])
    story.update({ state: 'RUNNING', concurrency: 2 })
    expect(story.running).toEqual(['> 2', '2 > 3'])
  })

  test('bisects what was in the line, and lets its survivors return', () => {
    const story = new Story({ batch: true, batchingMinSize: 2, concurrency: 2 })
    story.submit(1, 2, 3, 4)
    story.update({ state: 'DRAINING' })
    story.fail('> 1 2')
    story.pass('bisect > 1')
    expect(story.running).toEqual(['> 3 4', '3 4 > 1'])
    story.pass('> 3 4')
    story.pass('3 4 > 1')
    expect(story.merged).toEqual([3, 4, 1])
  })
})

describe('a change of mode', () => {
  test('waits for what the code host is merging, and for who restarts when it refuses', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    story.update({ mode: 'parallel' })
    story.answerMerge(1, 'PR_UPDATED_AT_MERGE_TIME')
    expect(story.queue.state).toBe('SWITCHING_MODES')
    expect(story.running).toEqual(['> 2'])
    story.cancel(2)
    expect(story.queue.state).toBe('RUNNING')
    expect(story.queue.configuration.mode).toBe('parallel')
  })

  test('is immediate when the line is empty', () => {
    const story = new Story()
    expect(story.update({ mode: 'parallel' })).toBeNull()
    expect(story.queue.configuration.mode).toBe('parallel')
    expect(story.queue.state).toBe('RUNNING')
  })

  test('goes through SWITCHING_MODES until the line is empty, then RUNNING', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    expect(story.update({ mode: 'parallel' })).toBeNull()
    expect(story.queue.state).toBe('SWITCHING_MODES')
    expect(story.queue.configuration.mode).toBe('single')
    story.pass('> 1')
    expect(story.queue.state).toBe('RUNNING')
    expect(story.queue.configuration.mode).toBe('parallel')
    expect(story.stateOf(2)).toBe('NOT_READY')
  })

  test('waits for bisections and returning survivors too', () => {
    const story = new Story({ batch: true, batchingMinSize: 2, concurrency: 2 })
    story.submit(1, 2, 3, 4)
    story.update({ mode: 'parallel' })
    story.fail('> 1 2')
    story.pass('bisect > 1')
    story.pass('> 3 4')
    expect(story.queue.state).toBe('SWITCHING_MODES')
    story.pass('3 4 > 1')
    expect(story.queue.state).toBe('RUNNING')
  })

  test('with work in the line is refused unless RUNNING', () => {
    const story = new Story()
    story.submit(1)
    story.update({ state: 'DRAINING' })
    expect(story.update({ mode: 'parallel' })).toEqual({
      code: 'mode change needs RUNNING',
      state: 'DRAINING',
    })
  })

  test('under way refuses state and mode, but never the values in force', () => {
    const story = new Story()
    story.submit(1)
    story.update({ mode: 'parallel' })
    expect(story.update({ state: 'PAUSED' })).toEqual({ code: 'switching modes' })
    expect(story.update({ mode: 'single' })).toEqual({ code: 'switching modes' })
    expect(story.update({ mode: 'parallel', concurrency: 7 })).toBeNull()
    expect(story.queue.configuration.concurrency).toBe(7)
  })

  test('together with another state is refused where it cannot be immediate', () => {
    const story = new Story()
    expect(story.update({ mode: 'parallel', state: 'PAUSED' })).toBeNull()
    expect(story.queue.state).toBe('PAUSED')
    story.update({ mode: 'single', state: 'RUNNING' })
    story.submit(1)
    expect(story.update({ mode: 'parallel', state: 'PAUSED' })).toEqual({ code: 'switching modes' })
  })
})

describe('readiness', () => {
  test('a pull request the code host objects to waits in NOT_READY', () => {
    const story = new Story()
    story.send({ type: 'reportPullRequest', number: 1, mergeable: false })
    story.submit(1)
    expect(story.stateOf(1)).toBe('NOT_READY')
    story.send({ type: 'reportPullRequest', number: 1, mergeable: true })
    expect(story.stateOf(1)).toBe('TESTING')
  })

  test('one that is PENDING loses its readiness when the host objects', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    story.send({ type: 'reportPullRequest', number: 2, mergeable: false })
    expect(story.stateOf(2)).toBe('NOT_READY')
    story.pass('> 1')
    expect(story.running).toEqual([])
  })

  test('in parallel mode the impacted targets must be known, before or after the submission', () => {
    const story = new Story({ mode: 'parallel' })
    story.submit(1)
    expect(story.stateOf(1)).toBe('NOT_READY')
    story.send({ type: 'setImpactedTargets', number: 1, targets: [] })
    expect(story.stateOf(1)).toBe('TESTING')
    story.send({ type: 'setImpactedTargets', number: 2, targets: ['web', 'web'] })
    story.submit(2)
    expect(story.stateOf(2)).toBe('TESTING')
    expect(story.queue.impactedTargets[2]).toEqual(['web'])
  })
})
