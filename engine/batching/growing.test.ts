import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
describe('batches that grow', () => {
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

  const growing = { policy: 'adaptive' } as const

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

  // E-225
  test('the target size limits a batch also if it is one', () => {
    const story = batches(1, growing)
    story.submit(1, 2)
    expect(story.running).toEqual(['> 1'])
  })
})
