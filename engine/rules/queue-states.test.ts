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
  test('starts neither restarts nor bisection runs', () => {
    const story = new Story({ concurrency: 2, batch: true, batchingMinSize: 2 })
    story.submit(1, 2, 3, 4)
    story.update({ state: 'PAUSED' })
    story.fail('> 1 2')
    expect(story.running).toEqual([])
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['bisect > 1', '> 3 4'])
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
})

describe('a change of mode', () => {
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
  test('takes effect at once when the line is empty', () => {
    const story = new Story()
    expect(story.update({ mode: 'parallel' })).toBeNull()
    expect(story.queue.configuration.mode).toBe('parallel')
    expect(story.queue.state).toBe('RUNNING')
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

// E-19
test('readiness: a PENDING pull request becomes NOT_READY when the code host objects', () => {
  const story = new Story({ concurrency: 1 })
  story.submit(1, 2)
  story.send({ type: 'reportPullRequest', number: 2, mergeable: false })
  expect(story.stateOf(2)).toBe('NOT_READY')
  story.pass('> 1')
  expect(story.running).toEqual([])
})
