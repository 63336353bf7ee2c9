import { describe, expect, test } from 'vitest'
import type { Configuration } from '../model/configuration.ts'
import { batches } from '../testing/batches.ts'
import { Story } from '../testing/story.ts'

/** One pull request at a time. At first one in ten counts as broken, and one run in ten as a flake. */
const byOdds = (more: Partial<Configuration> = {}): Story =>
  new Story({ policy: 'adaptive', tipTestMode: 'off', bisectionConcurrency: 1, ...more })

describe('with conviction by odds a single pull request whose tests fail', () => {
  // E-200
  test('is FAILED at once without the setting', () => {
    const story = byOdds({ policy: 'documented' })
    story.submit(1)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-201
  test('is looked at once more in a bisection; if it passes, it merges and the failure was a flake', () => {
    const story = byOdds()
    story.submit(1)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('TESTING')
    expect(story.running).toEqual(['bisect > 1'])
    story.pass('bisect > 1')
    expect(story.stateOf(1)).toBe('MERGED')
    expect(story.happened('bisectionEnded')).toMatchObject([{ flake: true }])
    expect(story.happened('verdictContradicted')).toHaveLength(1)
  })

  // E-200, E-201, E-203
  test('is FAILED when it fails again, for the run that failed last', () => {
    const story = byOdds()
    story.submit(1)
    story.fail('> 1')
    story.fail('bisect > 1', 'a test')
    expect(story.reasonOf(1)).toBe('TEST_RUN_REQUIRED_STATUS_FAILED')
    const evidence = story.queue.pullRequests[1]?.evidence
    expect(evidence).toMatchObject({ failedIn: 2, failedTests: [{ name: 'a test' }] })
    expect(story.running).toEqual([])
  })

  // E-201
  test('holds nobody up: those behind go on without it, and it returns behind them', () => {
    const story = byOdds({ concurrency: 2, canOptimisticallyMerge: true })
    story.submit(1, 2)
    story.fail('> 1')
    expect(story.running).toEqual(['bisect > 1', '> 2'])
    story.pass('> 2')
    story.pass('bisect > 1')
    expect(story.running).toEqual(['> 1'])
    story.pass('> 1')
    expect(story.merged).toEqual([2, 1])
  })

  // E-200, E-203
  test('is FAILED at once when so many were broken that its failure is no flake, 10 to 1', () => {
    const story = byOdds()
    for (let number = 1; number <= 8; number++) {
      story.submit(number)
      story.fail(`> ${number}`)
      story.fail(`bisect > ${number}`)
      expect(story.stateOf(number)).toBe('FAILED')
    }
    story.submit(9)
    story.fail('> 9')
    expect(story.stateOf(9)).toBe('FAILED')
    expect(story.happened('bisectionStarted')).toHaveLength(8)
  })

  // E-200, E-204
  test('is FAILED after five failures, however many runs flake', () => {
    const story = byOdds()
    for (let number = 101; number <= 130; number++) {
      story.submit(number)
      story.fail(`> ${number}`)
      story.pass(`bisect > ${number}`)
    }
    story.submit(1)
    story.fail('> 1')
    for (let failures = 2; failures <= 5; failures++) {
      expect(story.stateOf(1)).toBe('TESTING')
      story.fail('bisect > 1')
    }
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-204
  test('needs a third failure where runs flake that passed later', () => {
    const story = byOdds()
    story.submit(1)
    story.fail('> 1')
    story.pass('bisect > 1')
    story.submit(2)
    story.fail('> 2')
    story.fail('bisect > 2')
    expect(story.running).toEqual(['bisect > 2'])
    story.fail('bisect > 2')
    expect(story.stateOf(2)).toBe('FAILED')
  })

  // E-201
  test('is FAILED at once if it is urgent', () => {
    const story = byOdds()
    story.urgent(1)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-200
  test('is FAILED at once for a timeout', () => {
    const story = byOdds({ testingTimeoutMinutes: 10 })
    story.submit(1)
    story.wait(10)
    expect(story.reasonOf(1)).toBe('TEST_RUN_TIMEOUT')
  })
})

describe('in a bisection with conviction by odds', () => {
  // E-202, E-203
  test('a prefix of one that failed beside the batch is run again while the odds are low', () => {
    const story = batches(2, { policy: 'adaptive', tipTestMode: 'off' })
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.fail('bisect > 1')
    expect(story.running).toEqual(['bisect > 1'])
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['bisect > 2'])
  })

  // E-202, E-203
  test('the failure of a longer prefix speaks against a member if the others are few', () => {
    const story = batches(2, { policy: 'adaptive', tipTestMode: 'off' })
    for (let number = 101; number <= 110; number++) {
      story.submitAs(number, { noBatch: true })
      story.pass(`> ${number}`)
    }
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-202
  test('a run of it that passes proves the member', () => {
    const story = batches(2, { policy: 'adaptive', tipTestMode: 'off' })
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.fail('bisect > 1')
    story.pass('bisect > 1')
    expect(story.stateOf(1)).toBe('MERGED')
    expect(story.running).toEqual(['bisect > 2'])
  })

  // E-202
  test('an elimination waits for another run, also in a PAUSED queue', () => {
    const story = batches(2, { policy: 'adaptive', tipTestMode: 'off' })
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.update({ state: 'PAUSED' })
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('TESTING')
    story.update({ state: 'RUNNING' })
    story.fail('bisect > 2')
    expect(story.reasonOf(2)).toBe('TEST_RUN_REQUIRED_STATUS_FAILED')
  })

  // E-202
  test('the run that the odds ask for is repeated when it is lost', () => {
    const story = batches(2, { policy: 'adaptive', tipTestMode: 'off' })
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.pass('bisect > 1')
    story.error('bisect > 2')
    expect(story.stateOf(2)).toBe('TESTING')
    story.wait(1)
    expect(story.running).toEqual(['bisect > 2'])
  })

  // E-202
  test('the second failure of a known flake is not definitive while the odds are low', () => {
    const story = byOdds()
    const flakyTests = [{ name: 'clock' }]
    story.submit(9)
    story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
    for (const number of [1, 2]) {
      story.submit(number)
      story.fail(`> ${number}`)
      story.pass(`bisect > ${number}`)
    }
    story.submit(3)
    story.fail('> 3', 'clock')
    story.fail('bisect > 3', 'clock')
    expect(story.running).toEqual(['bisect > 3'])
  })
})

describe('a change of the policy', () => {
  // E-205
  test('counts for a bisection that has begun', () => {
    const story = batches(2)
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.update({ policy: 'adaptive' })
    story.fail('bisect > 1')
    expect(story.running).toEqual(['bisect > 1'])
    story.update({ policy: 'documented' })
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-201, E-205
  test('leaves a single pull request that is bisected already its one more run', () => {
    const story = byOdds()
    story.submit(1)
    story.update({ state: 'PAUSED' })
    story.fail('> 1')
    story.update({ policy: 'documented' })
    expect(story.stateOf(1)).toBe('PENDING')
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['bisect > 1'])
    story.fail('bisect > 1')
    expect(story.reasonOf(1)).toBe('TEST_RUN_REQUIRED_STATUS_FAILED')
  })
})
