import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('a queue that gets a code host', () => {
  // E-223
  test('gets another kind of host as well', () => {
    const story = new Story({}, { codeHost: 'answers' })
    expect(story.send({ type: 'attachHost', codeHost: 'groups' })).toBeNull()
    expect(story.queue.codeHost).toBe('groups')
  })

  // E-223
  test('refuses one while anybody is in the line or in a bisection', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 })
    story.submit(1, 2)
    const attach = { type: 'attachHost', codeHost: 'answers' } as const
    expect(story.send(attach)).toEqual({ code: 'line is not empty' })
    story.fail('> 1 2')
    expect(story.queue.line).toEqual([])
    expect(story.send(attach)).toEqual({ code: 'line is not empty' })
    expect(story.queue.codeHost).toBe('merges at once')
  })

  // E-223
  test('the host that it has already changes nothing, also with work in the line', () => {
    const story = new Story({}, { codeHost: 'answers' })
    story.submit(1)
    expect(story.send({ type: 'attachHost', codeHost: 'answers' })).toBeNull()
    expect(story.happened('hostAttached')).toEqual([])
  })
})
