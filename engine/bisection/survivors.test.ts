import { describe, expect, test } from 'vitest'
import { batches, withGoodRecord, type Story } from '../testing/story.ts'

describe('survivors', () => {
  // E-88
  test('merge when the group that had a run on the tip has failed', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.submitAs(9, { noBatch: true })
    story.pass('bisect > 1 2')
    story.fail('> 9')
    expect(story.states(1, 2)).toEqual(['MERGED', 'MERGED'])
  })

  // E-88
  test('wait while members that were handed over before are tested again', () => {
    const story = withGoodRecord(batches(4, { bisectionConcurrency: 2 }))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.update({ state: 'PAUSED' })
    story.pass('bisect > 1 2')
    story.restart(1)
    story.pass('bisect > 1 2 3')
    expect(story.stateOf(4)).toBe('FAILED')
    story.update({ state: 'RUNNING' })
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'TESTING', 'PENDING'])
    story.pass('> 1 2')
    story.pass('> 3')
    expect(story.merged.slice(-3)).toEqual([1, 2, 3])
  })
})

describe('a member that leaves', () => {
  // E-90
  test('reopens every member that the same run proved, also the members ahead of it', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.submitAs(9, { noBatch: true })
    story.pass('bisect > 1 2')
    story.cancel(2)
    expect(story.states(1, 2, 3, 4)).toEqual(['TESTING', 'CANCELLED', 'TESTING', 'TESTING'])
    story.fail('> 9')
    expect(story.merged.slice(-4)).toEqual([1177, 1178, 1179, 1180])
    expect(story.running).toEqual(['bisect > 1 3 4'])
  })

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

  // E-91
  test('because another bisection convicts it is no longer below the runs of the one that proved it', () => {
    const story = batches(5, { bisectionConcurrency: 2 })
    story.submit(1, 2, 3, 4, 5)
    story.fail('> 1 2 3 4 5')
    story.update({ state: 'PAUSED' })
    story.pass('bisect > 1 2')
    story.send({ type: 'reportPush' })
    story.update({ state: 'RUNNING' })
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1 2 3 4', 'bisect > 1'])
    story.fail('bisect > 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).not.toContain('bisect > 1 2 3 4')
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
