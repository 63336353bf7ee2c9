import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'

describe('flakes', () => {
  // E-80, E-82, E-86
  test('when only known flaky tests failed, the batch is run once more; if it passes, no member fails', () => {
    const story = batches(2)
    story.send({ type: 'submitPullRequest', number: 9 })
    story.wait(5)
    story.send({
      type: 'finishTestRun',
      testRun: 1,
      outcome: 'passed',
      flakyTests: [{ name: 'clock' }],
    })
    story.submit(1, 2)
    story.fail('> 1 2', 'clock')
    expect(story.running).toEqual(['bisect > 1 2'])
    story.pass('bisect > 1 2')
    expect(story.states(1, 2)).toEqual(['MERGED', 'MERGED'])
    expect(story.happened('verdictContradicted')).toHaveLength(1)
    expect(story.happened('bisectionEnded')).toMatchObject([{ flake: true }])
  })

  // E-80
  test('the second verdict is definitive: there is no third run of the composition', () => {
    const story = batches(2)
    story.submit(9)
    story.wait(5)
    const flakyTests = [{ name: 'clock' }]
    story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
    story.submit(1, 2)
    story.fail('> 1 2', 'clock')
    story.fail('bisect > 1 2', 'clock')
    expect(story.running).toEqual(['bisect > 1'])
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('FAILED')
  })

  // E-81
  test('in a flaky queue one run confirms a conviction that rests only on elimination', () => {
    const story = batches(2)
    story.submit(11, 12)
    story.fail('> 11 12')
    story.pass('bisect > 11')
    expect(story.reasonOf(12)).toBe('TEST_RUN_FAILED_BY_OPTIMIZATION')
    // The run that is restarted during the hold passes, so one verdict in four was contradicted.
    story.update({ pendingFailureDepth: 1, concurrency: 2 })
    story.submitAs(21, { noBatch: true })
    story.submitAs(22, { noBatch: true })
    story.fail('> 21')
    story.restart(21)
    story.pass('> 21')
    story.pass('21 > 22')
    story.update({ pendingFailureDepth: 0 })
    story.submit(1, 2)
    story.fail('> 1 2')
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('TESTING')
    expect(story.running).toEqual(['bisect > 2'])
    story.pass('bisect > 2')
    expect(story.states(1, 2)).toEqual(['MERGED', 'MERGED'])
  })

  // E-81
  test('one run confirms a conviction that rests only on a timeout', () => {
    const story = batches(2, { testingTimeoutMinutes: 10 })
    story.submit(1, 2)
    story.fail('> 1 2')
    story.wait(10)
    expect(story.running).toEqual(['bisect > 1'])
    story.wait(10)
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.reasonOf(1)).toBe('TEST_RUN_TIMEOUT')
  })

  // E-81, E-82
  test('one run confirms a conviction by a failure of a composition that has passed before', () => {
    const story = batches(3, { bisectionConcurrency: 2 })
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    story.submitAs(9, { noBatch: true })
    story.pass('bisect > 1')
    story.pass('bisect > 1 2')
    story.cancel(9)
    story.fail('> 1 2')
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('TESTING')
    expect(story.running).toEqual(['bisect > 1'])
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-87, E-89
  test('a pull request that flakes have sent back more than three times is tested alone', () => {
    const story = batches(2, { concurrency: 1 })
    const flakyTests = [{ name: 'clock' }]
    story.submit(9)
    story.wait(5)
    story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
    story.submit(1, 2)
    for (let round = 1; round <= 4; round++) {
      expect(story.running).toEqual(['> 1 2'])
      story.fail('> 1 2', 'clock')
      story.send({ type: 'reportPush' })
      story.pass('bisect > 1 2')
    }
    expect(story.running).toEqual(['> 1'])
    story.pass('> 1')
    story.pass('> 2')
    expect(story.merged).toEqual([9, 1, 2])
  })
})
