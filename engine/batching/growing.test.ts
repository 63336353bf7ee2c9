import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
describe('batches that grow', () => {
  const growing = { policy: 'adaptive' } as const

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
