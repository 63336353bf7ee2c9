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
})

describe('in a bisection with conviction by odds', () => {
  // E-202, E-203
  test('the failure of a longer prefix speaks against a member if the others are few', () => {
    const story = batches(2)
    for (let number = 101; number <= 130; number++) {
      story.submitAs(number, { noBatch: true })
      if (number <= 106) story.fail(`> ${number}`)
      else story.pass(`> ${number}`)
    }
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.update({ policy: 'adaptive', tipTestMode: 'off' })
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
})

// E-205
test('a change of the policy counts for a bisection that has begun', () => {
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
