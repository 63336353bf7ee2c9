import { describe, expect, test } from 'vitest'
import { batches, lanes, Story } from '../testing/story.ts'

const always = { tipTestMode: 'always' } as const

/** Somebody has pushed what breaks `builds`. Pull request 1 is tested on it, alone, and fails. */
function brokenByPush(): Story {
  const story = new Story({ concurrency: 1, ...always })
  story.send({ type: 'reportPush' })
  story.submit(1)
  story.fail('> 1', 'builds')
  return story
}

describe('a failure that no pair of runs shows', () => {
  // E-230
  test('of the first member of a batch waits, and those behind are explained by runs of the bisection', () => {
    const story = batches(3, always)
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    story.fail('bisect > 1')
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'TESTING', 'TESTING'])
    story.pass('tip')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.queue.pullRequests[1]?.evidence?.passedWithout).toBe(3)
    story.fail('bisect > 2 3')
    story.pass('bisect > 2')
    expect(story.states(2, 3)).toEqual(['MERGED', 'FAILED'])
    expect(story.started.filter((name) => name === 'tip')).toHaveLength(1)
  })
})

describe('a tip that fails by itself', () => {
  // E-232, E-234
  test('is tested again after 1, 2, 4 and at most 60 minutes, and what failed is tested again when it passes', () => {
    const story = brokenByPush()
    const waits: number[] = []
    for (let wait = 0; waits.length < 8; wait = 0) {
      story.fail('tip', 'builds')
      while (!story.running.includes('tip')) {
        story.wait(1)
        wait++
      }
      waits.push(wait)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.pass('tip')
    expect(story.reasonOf(1)).toBeNull()
    expect(story.happened('groupRestarted')).toMatchObject([{ reason: 'TARGET_BRANCH_FAILED' }])
    story.pass('> 1')
    expect(story.stateOf(1)).toBe('MERGED')
  })
})

describe('a run that takes too long, or is lost three times', () => {
  const late = { ...always, testingTimeoutMinutes: 10 } as const

  // E-236
  test('counts only if the tip passes in a run that began later, also if it has passed before', () => {
    const story = new Story(late)
    story.submit(1)
    story.pass('> 1')
    story.submit(2)
    story.wait(10)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    expect(story.running).toEqual(['tip'])
    story.pass('tip')
    expect(story.reasonOf(2)).toBe('TEST_RUN_TIMEOUT')
    story.submit(3)
    for (const minutes of [0, 1, 5]) {
      story.wait(minutes)
      story.error('> 3')
    }
    story.pass('tip')
    expect(story.reasonOf(3)).toBe('START_TEST_RUN_RETRY_EXHAUSTED')
  })

  // E-236
  test('stops the queue if the limit is too short for everybody; another limit is tried at once', () => {
    const story = new Story(late)
    story.submit(1)
    story.wait(20)
    expect(story.queue.tipTest?.failure?.reason).toBe('TEST_RUN_TIMEOUT')
    story.wait(11)
    expect(story.queue.tipTest?.failure?.times).toBe(2)
    story.update({ testingTimeoutMinutes: 30 })
    expect(story.running).toEqual(['tip'])
    story.wait(15)
    story.pass('tip')
    story.pass('> 1')
    expect(story.stateOf(1)).toBe('MERGED')
  })

  // E-235, E-236
  test('convicts in a bisection after a pass of the tip; if that fails, those who were proven return too', () => {
    const story = batches(2, { ...late, policy: 'adaptive', bisectionConcurrency: 1 })
    story.submitTogether(1, 2, 3, 4)
    story.fail('> 1 2')
    story.pass('bisect > 1')
    expect(story.running).toEqual(['> 3 4', 'bisect 1 > 2'])
    story.wait(10)
    expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'TESTING'])
    expect(story.running).toEqual(['tip'])
    story.wait(10)
    expect(story.queue.bisections).toEqual([])
    expect(story.states(1, 2)).toEqual(['PENDING', 'PENDING'])
    expect(story.reasonOf(1)).toBe('TARGET_BRANCH_FAILED')
  })
})

// E-237
test('in parallel mode: a failure on a tip that another lane may have mended is made again, once the tip has passed', () => {
  const story = lanes({ 1: ['a'], 2: ['b'] }, always)
  story.send({ type: 'reportPush' })
  story.submit(1, 2)
  story.pass('> 2')
  expect(story.stateOf(2)).toBe('MERGED')
  story.fail('> 1')
  expect(story.running).toEqual(['tip'])
  story.pass('tip')
  expect(story.running).toEqual(['> 1'])
  expect(story.reasonOf(1)).toBeNull()
  story.fail('> 1')
  expect(story.stateOf(1)).toBe('FAILED')
})

describe('the test of the tip', () => {
  // E-231
  test('is made when the same test fails in two that share nothing, although the tip has passed before', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] }, { ...always, pendingFailureDepth: 1 })
    story.submit(1)
    story.pass('> 1')
    story.touches(4, ['b'])
    story.touches(5, ['c'])
    story.submit(2, 3, 4, 5)
    story.fail('> 2', 'clock')
    expect(story.running).not.toContain('tip')
    story.fail('> 3', 'clock')
    expect(story.running).toContain('tip')
    story.pass('tip')
    expect(story.running).not.toContain('tip')
  })

  // E-229
  test('of a tip from before a push is cancelled', () => {
    const story = brokenByPush()
    story.send({ type: 'reportPush' })
    expect(story.running).toEqual(['> 1'])
    expect(story.happened('testRunCancelled')).toMatchObject([
      { testRun: 2, cause: 'MANUAL_PUSH_TO_TARGET_BRANCH' },
    ])
  })
})
