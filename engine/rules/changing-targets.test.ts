import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { lanes, type Story } from '../testing/story.ts'
import { withoutDuplicates } from '../commands/pull-request.ts'

const answers = { codeHost: 'answers' } as const

/**
 * A batch of three that share targets, and a concurrent group; the code host answers merges later.
 */
function threeAndOne(): Story {
  const targets = { 1: ['a'], 2: ['a', 'b'], 3: ['b'], 4: ['c'] }
  const batches = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 5 }
  const story = lanes(targets, batches, { codeHost: 'answers' })
  story.submit(1, 2, 3, 4)
  story.wait(5)
  expect(story.running).toEqual(['> 1 2 3', '> 4'])
  return story
}

describe('a new upload of impacted targets', () => {
  // E-143
  test('counts for what has merged beside the run, and for what the run holds in another order', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: 'ALL', 4: ['c'] })
    story.submit(1, 2, 3)
    story.pass('> 2')
    story.touches(1, ['a', 'c'])
    expect(story.running).toEqual(['> 1', '1 2 > 3'])
    story.touches(1, ['a', 'b'])
    expect(story.happened('groupRestarted').map(({ group }) => group)).toEqual([1, 3])
    expect(story.running).toEqual(['> 1', '1 > 3'])
  })

  // E-153
  test('for a member of a bisection counts for what has merged beside it', () => {
    const batches = { batch: true, batchingMinSize: 2 }
    const story = lanes({ 1: ['a'], 2: ['a'], 3: ['b'] }, batches)
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    story.fail('> 1 2')
    story.pass('> 3')
    expect(story.merged).toEqual([3])
    story.touches(1, ['c'])
    expect(story.queue.bisections.map(({ isTipMoved }) => isTipMoved)).toEqual([false])
    story.touches(1, ['b'])
    expect(story.queue.bisections.map(({ isTipMoved }) => isTipMoved)).toEqual([true])
  })

  // E-153
  test('for a member of a bisection counts for what has merged beside it before its own', () => {
    const batches = { batch: true, batchingMinSize: 3, bisectionConcurrency: 1 }
    const story = lanes({ 1: ['a'], 2: ['a'], 3: ['a'], 8: ['b'], 9: ['c'] }, batches)
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    for (const beside of [8, 9]) {
      story.submitAs(beside, { noBatch: true })
      story.pass(`> ${beside}`)
    }
    story.pass('bisect > 1')
    story.touches(2, ['a', 'b'])
    story.pass('bisect > 2')
    expect(story.merged).toEqual([8, 9, 1])
  })
})

describe('an upload of fewer or more targets', () => {
  // E-96
  test('with fewer targets keeps the dependency of a group whose run contains it, also after an upload of its own', () => {
    const story = lanes({ 1: ['a'], 2: ['a'] })
    story.submit(1, 2)
    story.touches(1, ['b'])
    story.restart(1)
    story.touches(2, ['a', 'c'])
    story.pass('1 > 2')
    expect(story.stateOf(2)).toBe('TESTS_PASSED')
    story.pass('> 1')
    expect(story.merged).toEqual([1, 2])
  })

  // E-95
  test('lets one of two that merge advance ahead of the rest of a batch that shares a target since', () => {
    const story = threeAndOne()
    story.pass('> 1 2 3')
    story.pass('> 4')
    story.touches(3, ['c'])
    expect(story.happened('groupRestarted')).toEqual([])
    story.cancel(2)
    expect(story.running).toEqual(['1 4 > 3'])
    story.answerMerge(1)
    story.answerMerge(4)
    story.pass('1 4 > 3')
    story.answerMerge(3)
    expect(story.merged).toEqual([1, 4, 3])
  })

  // E-292
  test('lets one of two that merge advance ahead of the other, whose merge the code host refuses', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] }, { directMergeMode: 'always' }, answers)
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.submit(1, 2)
    story.pass('> 2')
    story.touches(2, ['a', 'b'])
    expect(story.requestedMerges).toEqual([1, 2])
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.running).toEqual(['2 > 1'])
    story.pass('2 > 1')
    story.answerMerge(2)
    story.answerMerge(1)
    expect(story.merged).toEqual([2, 1])
  })

  // E-293
  test('for one that merges directly holds up what a bisection that shares it has proven', () => {
    const settings = { directMergeMode: 'always', batch: true, batchingMinSize: 2 } as const
    const story = lanes({ 1: ['a'], 2: ['a'], 3: ['b'] }, settings, answers)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.send({ type: 'reportPullRequest', number: 3, greenOnTip: true })
    story.submit(3)
    story.touches(3, ['a', 'b'])
    story.pass('bisect > 1')
    expect(story.requestedMerges).toEqual([3])
    story.answerMerge(3)
    expect(story.running).toEqual(['3 > 1'])
  })
})

// E-94
test('an upload of impacted targets for a pull request in the line that is taken back counts until its group starts again', () => {
  const story = lanes({ 1: ['a'], 2: ['b'] })
  story.submit(1)
  story.touches(1, 'ALL')
  story.touches(1, ['a'])
  story.submit(2)
  expect(story.running).toEqual(['> 1', '1 > 2'])
  story.restart(1)
  story.restart(2)
  expect(story.running).toEqual(['> 1', '> 2'])
})

// E-143
test('an upload counts no more when that pull request has left its group', () => {
  const batches = { batch: true, batchingMinSize: 2 }
  const story = lanes({ 1: ['a'], 2: ['a'], 3: ['b'] }, batches)
  story.submit(1, 2)
  story.touches(1, ['b'])
  story.cancel(1)
  story.submitAs(3, { noBatch: true })
  expect(story.running).toEqual(['> 2', '> 3'])
})

test('a list without duplicates is returned itself', () => {
  const names = ['web', 'api', '']
  expect(withoutDuplicates(names)).toBe(names)
  expect(withoutDuplicates([])).toEqual([])
})

test('lists of any length equal the list of their set', () => {
  const lists = fc
    .record({ length: fc.integer({ min: 0, max: 60_000 }), kinds: fc.integer({ min: 1 }) })
    .map(({ length, kinds }) => Array.from({ length }, (_, index) => `${(index * index) % kinds}`))
  fc.assert(
    fc.property(lists, (names) => {
      expect(withoutDuplicates(names)).toEqual([...new Set(names)])
    }),
    { numRuns: 10 },
  )
})
