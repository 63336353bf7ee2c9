import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('PAUSED', () => {
  // E-17, E-99
  test('accepts submissions, which wait, and starts nothing', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1)
    story.update({ state: 'PAUSED' })
    story.submit(2)
    expect(story.states(1, 2)).toEqual(['TESTING', 'NOT_READY'])
    expect(story.running).toEqual(['> 1'])
  })

  // E-99
  test('lets runs continue and keeps their results; nothing merges, and the order stays', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.update({ state: 'PAUSED' })
    story.pass('1 > 2')
    story.pass('> 1')
    expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'TESTS_PASSED'])
    story.update({ state: 'RUNNING' })
    expect(story.merged).toEqual([1, 2])
  })

  // E-99
  test('starts neither restarts nor bisection runs', () => {
    const story = new Story({ concurrency: 2, batch: true, batchingMinSize: 2 })
    story.submit(1, 2, 3, 4)
    story.update({ state: 'PAUSED' })
    story.fail('> 1 2')
    expect(story.running).toEqual([])
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['bisect > 1', '> 3 4'])
  })

  // E-45, E-99
  test('a batch whose first member has merged still merges the others', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1 2')
    story.answerMerge(1)
    story.update({ state: 'PAUSED' })
    story.answerMerge(2)
    expect(story.merged).toEqual([1, 2])
  })

  // E-18, E-101
  test('when it is RUNNING again, waiting pull requests become ready in order of submission', () => {
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
  // E-100
  test('starts nothing new, merges groups that pass, and restarts groups in the line', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2, 3)
    story.update({ state: 'DRAINING' })
    story.fail('> 1')
    expect(story.running).toEqual(['> 2'])
    story.pass('> 2')
    expect(story.merged).toEqual([2])
    expect(story.states(3)).toEqual(['PENDING'])
  })

  // E-19, E-100, E-101
  test('when it is RUNNING again, all waiting pull requests start, PENDING or NOT_READY', () => {
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

  // E-100
  test('bisects batches that were in the line, and their survivors return', () => {
    const story = new Story({ batch: true, batchingMinSize: 2, concurrency: 2 })
    story.submit(1, 2, 3, 4)
    story.update({ state: 'DRAINING' })
    story.fail('> 1 2')
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.running).toEqual(['> 3 4', '3 4 > 1'])
    story.pass('> 3 4')
    story.pass('3 4 > 1')
    expect(story.merged).toEqual([3, 4, 1])
  })
})

describe('a change of mode', () => {
  // E-103
  test('waits for a merge in progress, and for groups that restart after a refusal', () => {
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

  // E-103
  test('takes effect at once when the line is empty', () => {
    const story = new Story()
    expect(story.update({ mode: 'parallel' })).toBeNull()
    expect(story.queue.configuration.mode).toBe('parallel')
    expect(story.queue.state).toBe('RUNNING')
  })

  // E-103
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

  // E-103
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

  // E-104
  test('while the line is not empty is rejected unless the queue is RUNNING', () => {
    const story = new Story()
    story.submit(1)
    story.update({ state: 'DRAINING' })
    expect(story.update({ mode: 'parallel' })).toEqual({
      code: 'mode change needs RUNNING',
      state: 'DRAINING',
    })
  })

  // E-104
  test('in progress rejects a new state or mode, but never the values in force', () => {
    const story = new Story()
    story.submit(1)
    story.update({ mode: 'parallel' })
    expect(story.update({ state: 'PAUSED' })).toEqual({ code: 'switching modes' })
    expect(story.update({ mode: 'single' })).toEqual({ code: 'switching modes' })
    expect(story.update({ mode: 'parallel', concurrency: 7 })).toBeNull()
    expect(story.queue.configuration.concurrency).toBe(7)
  })

  // E-104
  test('together with another state is rejected if it cannot take effect at once', () => {
    const story = new Story()
    expect(story.update({ mode: 'parallel', state: 'PAUSED' })).toBeNull()
    expect(story.queue.state).toBe('PAUSED')
    story.update({ mode: 'single', state: 'RUNNING' })
    story.submit(1)
    expect(story.update({ mode: 'parallel', state: 'PAUSED' })).toEqual({ code: 'switching modes' })
  })
})

describe('readiness', () => {
  // E-9, E-18
  test('a pull request waits in NOT_READY while the code host objects', () => {
    const story = new Story()
    story.send({ type: 'reportPullRequest', number: 1, mergeable: false })
    story.submit(1)
    expect(story.stateOf(1)).toBe('NOT_READY')
    story.send({ type: 'reportPullRequest', number: 1, mergeable: true })
    expect(story.stateOf(1)).toBe('TESTING')
  })

  // E-19
  test('a PENDING pull request becomes NOT_READY when the code host objects', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    story.send({ type: 'reportPullRequest', number: 2, mergeable: false })
    expect(story.stateOf(2)).toBe('NOT_READY')
    story.pass('> 1')
    expect(story.running).toEqual([])
  })

  // E-18, E-94
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
