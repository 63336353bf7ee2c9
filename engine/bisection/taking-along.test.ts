import { describe, expect, test } from 'vitest'
import type { Configuration } from '../model/configuration.ts'
import { batches, withGoodRecord } from '../testing/batches.ts'
import type { Story } from '../testing/story.ts'

/** A batch of four fails, the branch moves, and 1 to 3 are proven before 4 is found broken. */
function provenLate(
  more: Partial<Configuration>,
  meanwhile: (story: Story) => void = (story) => story.submit(5, 6),
): Story {
  const story = withGoodRecord(batches(4, more))
  story.submit(1, 2, 3, 4)
  story.fail('> 1 2 3 4')
  story.send({ type: 'reportPush' })
  story.pass('bisect > 1 2')
  story.pass('bisect 1 2 > 3')
  meanwhile(story)
  story.fail('bisect 1 2 3 > 4')
  return story
}

describe('survivors that are tested again', () => {
  // E-89, E-206
  test('return by themselves without the setting', () => {
    expect(provenLate({}).running).toEqual(['> 1 2 3'])
  })

  // E-206
  test('take along the next in order, up to the target size in all', () => {
    const story = provenLate({ survivorsTakeAlong: true })
    expect(story.running).toEqual(['> 1 2 3 5'])
    expect(story.stateOf(6)).toBe('PENDING')
    story.pass('> 1 2 3 5')
    expect(story.merged.slice(-4)).toEqual([1, 2, 3, 5])
  })

  // E-206
  test('take nobody along from behind one that must be tested alone', () => {
    const story = provenLate({ survivorsTakeAlong: true }, (waiting) => {
      waiting.submitAs(9, { noBatch: true })
      waiting.submitAs(5, { noBatch: true })
      waiting.submit(6)
    })
    expect(story.running).toEqual(['> 9'])
    story.pass('> 9')
    expect(story.running).toEqual(['> 1 2 3'])
    expect(story.states(5, 6)).toEqual(['PENDING', 'PENDING'])
  })

  // E-207
  test('take nobody along while the queue drains', () => {
    const story = provenLate({ survivorsTakeAlong: true }, (draining) => {
      draining.submit(5, 6)
      draining.update({ state: 'DRAINING' })
    })
    expect(story.running).toEqual(['> 1 2 3'])
    expect(story.states(5, 6)).toEqual(['PENDING', 'PENDING'])
  })

  // E-115, E-207
  test('take nobody along when they are as many as the target size, or more', () => {
    const story = provenLate({ survivorsTakeAlong: true }, (waiting) => {
      waiting.update({ batchingMinSize: 2 })
      waiting.submit(5)
    })
    expect(story.running).toEqual(['> 1 2 3'])
  })

  // E-207
  test('take nobody along if they must be tested alone', () => {
    const story = provenLate({ survivorsTakeAlong: true }, (waiting) => {
      for (const number of [1, 2, 3]) waiting.urgent(number)
      waiting.submit(5)
    })
    expect(story.running).toEqual(['> 1'])
    expect(story.states(2, 3, 5)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    expect(story.queue.line).toHaveLength(3)
  })

  // E-207
  test('take nobody along in parallel mode', () => {
    const story = batches(2, { survivorsTakeAlong: true, mode: 'parallel' })
    for (const number of [1, 2, 3]) story.touches(number, ['core'])
    story.submit(1, 2)
    story.fail('> 1 2')
    story.send({ type: 'reportPush' })
    story.pass('bisect > 1')
    story.submit(3)
    story.fail('bisect 1 > 2')
    expect(story.running).toEqual(['> 1'])
    expect(story.stateOf(3)).toBe('PENDING')
  })

  // E-88, E-207
  test('take nobody along if they merge without another run', () => {
    const story = withGoodRecord(batches(4, { survivorsTakeAlong: true }))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.submit(5)
    story.pass('bisect > 1 2')
    expect(story.states(1, 2, 5)).toEqual(['MERGED', 'MERGED', 'PENDING'])
  })
})
