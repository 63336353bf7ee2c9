import { describe, expect, test } from 'vitest'
import { batches, type Story } from '../testing/story.ts'

describe('a member that leaves', () => {
  // E-90
  test('lets the others merge by the run that proved the last of them', () => {
    const story = batches(6, { concurrency: 2 })
    story.submitTogether(1, 2, 3, 4, 5, 6)
    story.submitAs(9, { noBatch: true })
    story.fail('> 1 2 3 4 5 6')
    story.pass('bisect > 1 2')
    const proof = story.queue.last.testRun
    story.pass('bisect 1 2 > 3 4')
    story.cancel(5)
    story.cancel(9)
    expect(story.merged).toEqual([1, 2, 3, 4])
    expect(story.queue.pullRequests[4]?.verifiedBy).toBe(proof)
  })

  // E-309
  test('leaves others proven by a run that passed too late to matter', () => {
    const story = batches(5, { concurrency: 2, bisectionConcurrency: 3 })
    story.submitTogether(1, 2, 3, 4, 5)
    story.submitAs(9, { noBatch: true })
    story.fail('> 1 2 3 4 5')
    story.pass('bisect > 1 2 3')
    story.pass('bisect > 1 2')
    story.cancel(3)
    expect(story.running).toEqual(['> 9', 'bisect 1 2 > 4', 'bisect 1 2 > 4 5'])
    expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'TESTS_PASSED'])
  })

  // E-86
  test('as the last open one ends the bisection', () => {
    const story = batches(2)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.cancel(1)
    story.cancel(2)
    expect(story.queue.bisections).toEqual([])
    expect(story.running).toEqual([])
  })
})

// E-33, E-89
test('a survivor that must be tested alone keeps its place among the others', () => {
  const story = batches(4, { concurrency: 4 })
  story.submitTogether(1, 2, 3, 4)
  story.submitAs(9, { noBatch: true })
  story.fail('> 1 2 3 4')
  story.submitAs(2, { noBatch: true })
  story.pass('> 9')
  story.pass('bisect > 1 2')
  story.fail('bisect 1 2 > 3')
  story.pass('bisect 1 2 > 4')
  expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 4'])
})

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
})
