import { describe, expect, test } from 'vitest'
import { lanes, Story, batches } from '../testing/story.ts'

describe('groups form a graph by shared targets', () => {
  // E-12
  test('a lane of many groups is followed through each group once, not along every path', () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
    const touched = Object.fromEntries(numbers.map((number) => [number, ['a']]))
    const story = lanes(touched, { concurrency: 40 })
    story.submit(...numbers)
    expect(story.running.at(-1)).toBe(`${numbers.slice(0, -1).join(' ')} > 40`)
  })
})

// E-40
test('direct merge in parallel mode requires that nothing ahead shares a target; other lanes do not matter', () => {
  const story = lanes(
    { 1: ['a'], 2: ['b'], 3: ['a'], 4: [] },
    { directMergeMode: 'always', concurrency: 1 },
  )
  story.submit(1)
  for (const number of [2, 3, 4]) {
    story.send({ type: 'reportPullRequest', number, greenOnTip: true })
  }
  story.submit(3, 2)
  expect(story.states(2, 3)).toEqual(['MERGED', 'PENDING'])
  story.submit(4)
  expect(story.stateOf(4)).toBe('PENDING')
})

// E-46, E-99
test('a group whose merging has begun goes on in a PAUSED queue after a person has merged its next member', () => {
  const batching = { batch: true, batchingMinSize: 3 }
  const story = new Story(batching, { codeHost: 'answers' })
  story.submit(1, 2, 3)
  story.pass('> 1 2 3')
  story.answerMerge(1)
  story.update({ state: 'PAUSED' })
  story.send({ type: 'reportManualMerge', number: 2 })
  expect(story.requestedMerges).toEqual([1, 2, 3])
})

describe('a direct merge', () => {
  const settings = { directMergeMode: 'always' } as const

  // E-40
  test('of one that impacts all targets waits for a single group in the line', () => {
    const story = lanes({ 1: ['a'], 2: 'ALL' }, settings)
    story.submit(1)
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.submit(2)
    expect(story.merged).toEqual([])
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })

  // E-261
  test('of one that shares no target with what it depends on waits for it all the same', () => {
    const story = lanes({ 1: [], 2: [] }, settings)
    story.submit(1)
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.submitAs(2, { dependsOn: [1] })
    expect(story.merged).toEqual([])
    story.pass('> 1')
    expect(story.merged).toEqual([1])
  })
})

// E-194
test('the line: given a failure aside that is the last already, restarts it where it is', () => {
  const story = new Story({ concurrency: 4, policy: 'adaptive' })
  story.submit(1, 2, 3)
  story.fail('1 2 > 3')
  story.cancel(1)
  expect(story.running).toEqual(['> 2', '2 > 3'])
  expect(story.happened('groupMoved')).toEqual([])
})

describe('batches in parallel mode', () => {
  const batching = { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5 }

  // E-97
  test('a pull request with ALL joins any batch, and any pull request joins its batch', () => {
    const story = lanes({ 1: ['a'], 2: 'ALL', 3: ['b'] }, { ...batching, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1 2 3'])
  })
})

describe('batches that grow', () => {
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
})
