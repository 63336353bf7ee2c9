import { describe, expect, test } from 'vitest'
import { batches, Story } from '../testing/story.ts'

/**
 * One slot for two bisections, of 1 and 2, and of 3 and 4. The batch of 1 and 2 failed with these
 * tests; the test `clock` is known to flake.
 */
function twoBisections(...failedTests: readonly string[]): Story {
  const story = batches(2, { concurrency: 2, canOptimisticallyMerge: true })
  story.submitAs(9, { noBatch: true })
  const flakyTests = [{ name: 'clock' }]
  story.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed', flakyTests })
  story.submit(1, 2, 3, 4)
  story.fail('> 1 2', ...failedTests)
  story.fail('> 3 4', 'a test')
  expect(story.running).toEqual(['bisect > 1'])
  return story
}

/** The odds convict at the first failure: half of the pull requests break the tests, and no run flakes. */
function withBadRecord(story: Story): Story {
  for (let number = 101; number <= 142; number++) {
    story.submitAs(number, { noBatch: true })
    if (number <= 125) story.fail(`> ${number}`)
    else story.pass(`> ${number}`)
  }
  return story
}

/** The bisections that have begun go on; a small batch would not be bisected as a whole. */
function lookTwice(story: Story): void {
  story.update({ policy: 'adaptive', tipTestMode: 'off' })
}

describe('flakes', () => {
  // E-81
  test('a conviction by elimination waits for its confirmation if a test failed in the batch that is known to flake', () => {
    const story = twoBisections('clock', 'a test')
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('TESTING')
    expect(story.running).toEqual(['bisect > 2'])
    story.fail('bisect > 2', 'a test')
    expect(story.reasonOf(2)).toBe('TEST_RUN_REQUIRED_STATUS_FAILED')
  })

  // E-81, E-82
  test('a conviction by elimination waits for its confirmation if the same batch has passed before, also where few runs flake', () => {
    const story = batches(2, { concurrency: 2 })
    for (let number = 101; number <= 200; number++) {
      story.submitAs(number, { noBatch: true })
      story.pass(`> ${number}`)
    }
    story.submitAs(9, { noBatch: true })
    story.submit(1, 2)
    story.pass('9 > 1 2')
    story.restart(1)
    story.fail('9 > 1 2')
    story.pass('> 9')
    story.pass('bisect > 1')
    expect(story.stateOf(2)).toBe('TESTING')
    expect(story.running).toEqual(['bisect > 2'])
  })
})

describe('a second look at a failed batch', () => {
  // E-74, E-141
  test('is not made while another bisection wants the slot: the member is convicted without it', () => {
    const story = twoBisections('a test')
    withBadRecord(story)
    lookTwice(story)
    story.pass('bisect > 1')
    expect(story.reasonOf(2)).toBe('TEST_RUN_FAILED_BY_OPTIMIZATION')
    expect(story.running).toEqual(['bisect > 3', '> 1'])
  })

  // E-141
  test('is not made in a slot in which a lost run is to be repeated', () => {
    const story = batches(2, {
      bisectionConcurrency: 3,
      canOptimisticallyMerge: true,
      policy: 'adaptive',
    })
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.fail('bisect > 1 2')
    story.error('bisect > 1')
    story.submitTogether(3, 4)
    story.fail('> 3 4')
    expect(story.running).toEqual(['bisect > 3'])
  })

  // E-141
  test('is not awaited where a member is convicted by a run of its own', () => {
    const story = withBadRecord(batches(2, { bisectionConcurrency: 3 }))
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    lookTwice(story)
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['bisect > 1 2', 'bisect > 2'])
    story.error('bisect > 1 2')
    story.pass('bisect > 2')
    expect(story.merged.at(-1)).toBe(2)
  })

  // E-142
  test('that is lost is not repeated: the failure of the batch convicts', () => {
    const story = withBadRecord(batches(2))
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    lookTwice(story)
    story.pass('bisect > 1')
    story.error('bisect > 2')
    expect(story.reasonOf(2)).toBe('TEST_RUN_FAILED_BY_OPTIMIZATION')
    story.wait(10)
    expect(story.running).toEqual([])
  })
})

/** Pull request 2 has failed on top of 1, which is still tested, and is tested again. */
function secondRunAfter(...failedTests: string[]): Story {
  const story = new Story({ concurrency: 2 })
  story.submit(1, 2)
  story.fail('1 > 2', ...failedTests)
  story.restart(2)
  return story
}

const known = (story: Story): string[] => Object.keys(story.queue.flakyTests).toSorted()

describe('two verdicts on one composition', () => {
  // E-82
  test('a pass after a successor has cleared the failure still shows which tests flake', () => {
    const options = { concurrency: 3, canOptimisticallyMerge: true }
    const story = new Story(options, { codeHost: 'answers' })
    story.submit(9, 1, 2)
    story.fail('9 > 1', 'clock')
    story.pass('9 1 > 2')
    expect(story.happened('verdictContradicted')).toMatchObject([{ testRun: 2, flakyTests: [] }])
    story.restart(1)
    story.pass('9 > 1')
    expect(known(story)).toEqual(['clock'])
    expect(story.happened('verdictContradicted')).toHaveLength(1)
    expect(story.happened('flakyTestsSeen')).toMatchObject([{ flakyTests: ['clock'] }])
  })

  // E-82
  test('a test is said to flake once, however often the composition passes', () => {
    const story = secondRunAfter('clock')
    story.pass('1 > 2')
    story.restart(2)
    story.pass('1 > 2')
    expect(known(story)).toEqual(['clock'])
    expect(story.happened('flakyTestsSeen')).toEqual([])
  })

  // E-82
  test('given a suite that makes new names for ever, the 10,000 tests that flaked last are known', () => {
    const story = new Story()
    let [made, number] = [0, 0]
    const report = (...names: readonly string[]): void => {
      const more = Array.from({ length: 3_000 - names.length }, () => `made ${made++}`)
      const flakyTests = [...names, ...more].map((name) => ({ name }))
      story.submit(++number)
      const testRun = story.queue.last.testRun
      story.send({ type: 'finishTestRun', testRun, outcome: 'passed', flakyTests })
    }
    report('once', 'again')
    for (let runs = 0; runs < 2; runs++) report()
    expect(known(story)).toContain('once')
    report('again', '7')
    expect(known(story)).toHaveLength(10_000)
    expect(known(story)).not.toContain('once')
    expect(known(story)).toEqual(expect.arrayContaining(['again', `made ${made - 1}`]))
    // An object has such names first, in whatever order they came.
    expect(known(story)).not.toContain('7')
  })

  // E-181
  test('a timeout is no verdict: a pass after it contradicts nothing', () => {
    const story = new Story({ concurrency: 2, testingTimeoutMinutes: 10 })
    story.submit(1)
    story.wait(5)
    story.submit(2)
    story.pass('> 1')
    story.wait(10)
    expect(story.reasonOf(2)).toBe('TEST_RUN_TIMEOUT')
    expect(story.queue.verdicts).toHaveLength(1)
  })

  // E-82
  test('count while the first is among the last 100, and not longer', () => {
    const after = (others: number): Story => {
      const story = new Story({ mode: 'parallel', concurrency: 3 })
      story.touches(1, ['slow'])
      story.touches(2, ['slow'])
      story.submit(1, 2)
      story.pass('1 > 2')
      for (let number = 11; number < 11 + others; number++) {
        story.touches(number, ['other'])
        story.submit(number)
        story.fail(`> ${number}`)
      }
      story.restart(2)
      story.fail('1 > 2')
      return story
    }
    // Another lane only fails, so that the tip and with it the composition stay.
    expect(after(99).happened('verdictContradicted')).toHaveLength(1)
    expect(after(100).happened('verdictContradicted')).toHaveLength(0)
  })
})
