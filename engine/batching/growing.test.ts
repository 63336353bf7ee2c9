import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
import { lanes } from '../testing/lanes.ts'

describe('batches that grow', () => {
  const growing = { policy: 'adaptive' } as const

  // E-225
  test('a pair is full while few wait', () => {
    const story = batches(16, { ...growing, concurrency: 4 })
    story.submitTogether(1, 2)
    story.submit(3)
    expect(story.running).toEqual(['> 1 2'])
    story.submit(4)
    expect(story.running).toEqual(['> 1 2', '1 2 > 3 4'])
  })

  // E-225
  test('a batch holds what each slot gets of those that wait', () => {
    const story = batches(16, { ...growing, concurrency: 2 })
    story.submitTogether(1, 2, 3, 4)
    story.submit(5, 6, 7, 8, 9, 10, 11)
    story.pass('> 1 2')
    expect(story.running).toEqual(['1 2 > 3 4', '3 4 > 5 6 7'])
    story.pass('1 2 > 3 4')
    expect(story.running).toEqual(['3 4 > 5 6 7', '5 6 7 > 8 9'])
  })

  // E-225
  test('a batch is never larger than the target size', () => {
    const story = batches(4, growing)
    story.submitTogether(1, 2)
    story.submit(3, 4, 5, 6, 7, 8)
    story.pass('> 1 2')
    expect(story.running).toEqual(['> 3 4 5 6'])
  })

  // E-75, E-225
  test('half a failure is expected in a batch at most: five of ten with nothing known', () => {
    const story = batches(16, growing)
    story.submitTogether(1, 2)
    for (let number = 3; number <= 12; number++) story.submit(number)
    story.cancel(1)
    story.cancel(2)
    expect(story.running).toEqual(['> 3 4 5 6 7'])
  })

  // E-225
  test('those that are tested alone are not counted, and get nobody else', () => {
    const story = batches(16, growing)
    story.submitTogether(1, 2)
    story.submitAs(3, { noBatch: true })
    story.submit(4, 5, 6)
    story.pass('> 1 2')
    expect(story.running).toEqual(['> 3'])
    story.pass('> 3')
    expect(story.running).toEqual(['> 4 5 6'])
  })

  // E-31, E-225
  test('one alone starts after the longest wait', () => {
    const story = batches(16, { ...growing, concurrency: 3 })
    story.submitTogether(1, 2)
    story.submit(3)
    story.wait(4.9)
    expect(story.running).toEqual(['> 1 2'])
    story.wait(0.1)
    expect(story.running).toEqual(['> 1 2', '1 2 > 3'])
  })

  // E-285
  test('no batch waits while at most one pull request is in the line', () => {
    const story = batches(16, { ...growing, concurrency: 3 })
    story.submit(1)
    story.submit(2)
    story.submit(3)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    story.pass('> 1')
    expect(story.running).toEqual(['1 > 2', '2 > 3'])
  })

  // E-285
  test('a batch waits behind one batch in the line, and with the documented policy in an empty queue', () => {
    const story = batches(16, { ...growing, concurrency: 2 })
    story.submitTogether(1, 2)
    story.submit(3)
    expect(story.running).toEqual(['> 1 2'])
    const documented = batches(16)
    documented.submit(1)
    expect(documented.running).toEqual([])
  })

  // E-225
  test('the target size limits a batch also if it is one', () => {
    const story = batches(1, growing)
    story.submit(1, 2)
    expect(story.running).toEqual(['> 1'])
  })

  // E-97, E-225
  test('in parallel mode all that wait count, in whatever lane', () => {
    const touched = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => [number, number < 5 ? ['a'] : ['b']]),
    )
    const story = lanes(touched, { ...growing, batch: true, batchingMinSize: 16, concurrency: 2 })
    story.submitTogether(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    expect(story.running).toEqual(['> 1 2 3 4', '> 5 6 7'])
  })
})
