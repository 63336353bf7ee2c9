import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
import type { Story } from '../testing/story.ts'

/** Batches of up to five, and so many runs that passed that flakes are known to be rare. */
function calm(passes: number): Story {
  const settings = {
    bisectionConcurrency: 5,
    policy: 'adaptive',
    tipTestMode: 'off',
    canOptimisticallyMerge: true,
  } as const
  const story = batches(5, settings)
  for (let number = 101; number <= 100 + passes; number++) {
    story.submitAs(number, { noBatch: true })
    story.pass(`> ${number}`)
  }
  return story
}

describe('the members of a failed batch', () => {
  // E-307
  test('are tested one by one: who passes does not wait for the others, and none of it is a flake', () => {
    const story = calm(11)
    story.submitTogether(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 2', 'bisect > 3', 'bisect > 4'])
    story.pass('bisect > 3')
    expect(story.states(1, 2, 3, 4)).toEqual(['TESTING', 'TESTING', 'MERGED', 'TESTING'])
    expect(story.happened('bisectionEnded')).toMatchObject([{ flake: false }])
  })

  // E-307
  test('are not, where one in twenty runs flakes or more of them have failed', () => {
    const flaky = calm(9)
    flaky.submitTogether(1, 2)
    flaky.fail('> 1 2')
    expect(flaky.running).toEqual(['bisect > 1', 'bisect > 1 2'])

    const many = calm(11)
    many.submitTogether(1, 2, 3, 4, 5)
    many.fail('> 1 2 3 4 5')
    expect(many.happened('bisectionStarted')).toHaveLength(1)
  })

  // E-307
  test('are not, where one depends on another', () => {
    const story = calm(11)
    story.update({ state: 'PAUSED' })
    story.submit(1)
    story.submitAs(2, { dependsOn: [1] })
    story.update({ state: 'RUNNING' })
    story.wait(5)
    story.fail('> 1 2')
    expect(story.happened('bisectionStarted')).toMatchObject([{ members: [1, 2] }])
  })

  // E-203, E-307
  test('are convicted by fewer runs of their own, because the batch has failed before', () => {
    const story = calm(11)
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    story.fail('bisect > 1')
    expect(story.running).toEqual(['bisect > 2', 'bisect > 1'])
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })
})
