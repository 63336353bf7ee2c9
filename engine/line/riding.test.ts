import { describe, expect, test } from 'vitest'
import type { Configuration } from '../model/configuration.ts'
import { batches, withGoodRecord } from '../testing/batches.ts'
import type { Story } from '../testing/story.ts'

const riding = { survivorsTakeAlong: true, canOptimisticallyMerge: true } as const

/** A batch of four fails, the branch moves, and 1 to 3 are proven before 4 is found broken. */
function provenLate(
  more: Partial<Configuration>,
  meanwhile: (story: Story) => void = (story) => story.submit(5, 6),
): Story {
  const story = withGoodRecord(batches(4, { ...riding, ...more }))
  story.submit(1, 2, 3, 4)
  story.fail('> 1 2 3 4')
  story.send({ type: 'reportPush' })
  story.pass('bisect > 1 2')
  story.pass('bisect 1 2 > 3')
  meanwhile(story)
  story.fail('bisect 1 2 3 > 4')
  return story
}

/** Two batches of three fail. The survivors of the first return while the second is bisected. */
function twoBatches(more: Partial<Configuration> = {}): Story {
  const story = withGoodRecord(batches(4, { ...riding, ...more }))
  story.submit(1, 2, 3, 4, 5, 6, 7, 8)
  story.fail('> 1 2 3 4')
  story.fail('> 5 6 7 8')
  story.send({ type: 'reportPush' })
  story.pass('bisect > 1 2')
  story.fail('bisect 1 2 > 3')
  story.fail('bisect 1 2 > 4')
  return story
}

describe('survivors with optimistic merging', () => {
  // E-212
  test('wait for the next batch, which starts on top of them at once, although it is not full', () => {
    const story = provenLate({})
    expect(story.running).toEqual(['1 2 3 > 5 6'])
    expect(story.states(1, 2, 3)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    story.pass('1 2 3 > 5 6')
    expect(story.merged.slice(-5)).toEqual([1, 2, 3, 5, 6])
  })

  // E-212
  test('leave room for a whole batch on top of them', () => {
    const story = provenLate({}, (busy) => {
      busy.submitAs(50, { noBatch: true })
      busy.submit(5, 6, 7, 8, 9)
    })
    story.pass('> 50')
    expect(story.running).toEqual(['1 2 3 > 5 6 7 8'])
    expect(story.stateOf(9)).toBe('PENDING')
  })

  // E-214
  test('are tested by themselves when the batch on top of them has failed', () => {
    const story = provenLate({})
    story.fail('1 2 3 > 5 6')
    expect(story.running).toEqual(['> 1 2 3'])
    story.pass('> 1 2 3')
    expect(story.merged.slice(-3)).toEqual([1, 2, 3])
    expect(story.running).toEqual(['bisect > 5'])
  })

  // E-214
  test('are tested by themselves if there is nobody to wait for', () => {
    expect(provenLate({}, () => undefined).running).toEqual(['> 1 2 3'])
  })

  // E-214
  test('are tested by themselves while the queue drains', () => {
    const story = provenLate({}, (draining) => {
      draining.submit(5, 6)
      draining.update({ state: 'DRAINING' })
    })
    expect(story.running).toEqual(['> 1 2 3'])
  })

  // E-214
  test('are tested by themselves if they must be tested alone', () => {
    const story = provenLate({}, (waiting) => {
      for (const number of [1, 2, 3]) waiting.urgent(number)
      waiting.submit(5)
    })
    expect(story.running).toEqual(['> 1'])
  })

  // E-213
  test('wait for the survivors of another bisection, and one run clears both', () => {
    const story = twoBatches()
    expect(story.running).toEqual(['bisect > 5 6'])
    story.pass('bisect > 5 6')
    story.fail('bisect 5 6 > 7')
    story.fail('bisect 5 6 > 8')
    expect(story.running).toEqual(['1 2 > 5 6'])
    story.pass('1 2 > 5 6')
    expect(story.merged.slice(-4)).toEqual([1, 2, 5, 6])
  })

  // E-8, E-213
  test('wait for others no longer than a batch waits to fill', () => {
    const story = twoBatches()
    story.wait(5)
    expect(story.running).toEqual(['bisect > 5 6', '> 1 2'])
  })

  // E-213
  test('of two bisections together wait for nobody when they are as many as a batch', () => {
    const story = withGoodRecord(batches(4, riding))
    story.submit(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    for (const run of ['> 1 2 3 4', '> 5 6 7 8', '> 9 10 11 12']) story.fail(run)
    story.send({ type: 'reportPush' })
    for (const [proven, third, fourth] of [
      ['1 2', 3, 4],
      ['5 6', 7, 8],
    ]) {
      story.pass(`bisect > ${proven}`)
      story.fail(`bisect ${proven} > ${third}`)
      story.fail(`bisect ${proven} > ${fourth}`)
    }
    expect(story.running).toEqual(['bisect > 9 10', '1 2 > 5 6'])
  })

  // E-214
  test('do not ride along once one of them must be tested alone', () => {
    const story = twoBatches()
    story.submitAs(2, { noBatch: true })
    expect(story.running).toEqual(['bisect > 5 6', '> 1'])
  })

  // E-213
  test('wait for nobody when they are as many as a batch', () => {
    const story = twoBatches()
    story.update({ batchingMinSize: 2 })
    expect(story.running).toEqual(['bisect > 5 6', '> 1 2'])
  })
})
