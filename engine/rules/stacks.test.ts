import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

/** Submits 1, 2 on 1, 3 on 2, ... */
function stack(story: Story, ...numbers: number[]): void {
  for (const [at, number] of numbers.entries()) {
    const below = numbers[at - 1]
    story.submitAs(number, below === undefined ? {} : { dependsOn: [below] })
  }
}

const batch = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 5, concurrency: 1 }

describe('what a pull request depends on', () => {
  // E-262
  test('one that was submitted before what it depends on takes its turn behind it', () => {
    const story = new Story({ ...batch, batchingMinSize: 2 })
    story.submitAs(3, { dependsOn: [2] })
    story.submitAs(2, { dependsOn: [1] })
    story.submit(5, 1, 6)
    expect(story.running).toEqual(['> 5 1'])
    story.pass('> 5 1')
    expect(story.running).toEqual(['> 2 3'])
  })

  // E-263
  test('what it raises has a priority that nobody asked for', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(9, 1)
    story.submitAs(2, { dependsOn: [1], priority: 50 })
    expect(story.queue.pullRequests[1]).toMatchObject({ priority: 50, priorityAsked: false })
  })

  // E-260
  test('nobody depends on itself', () => {
    const story = new Story()
    story.submitAs(1, { dependsOn: [3] })
    story.submitAs(2, { dependsOn: [1] })
    const rejected = story.send({ type: 'submitPullRequest', number: 3, dependsOn: [8, 2] })
    expect(rejected).toEqual({ code: 'depends on itself', number: 3, through: [3, 2, 1, 3] })
    expect(story.send({ type: 'submitPullRequest', number: 4, dependsOn: [4] })).toMatchObject({
      through: [4, 4],
    })
    expect(story.stateOf(1)).toBe('NOT_READY')
  })

  // E-260, E-261
  test('one that has merged and is submitted on top of another closes no circle, in either order', () => {
    const [first, then] = [
      { number: 1, dependsOn: [2] },
      { number: 2, dependsOn: [1] },
    ]
    for (const order of [
      [first, then],
      [then, first],
    ]) {
      const story = new Story()
      story.submit(1)
      story.pass('> 1')
      for (const each of order)
        expect(story.send({ type: 'submitPullRequest', ...each })).toBeNull()
      expect(story.running).toEqual(['> 2', '2 > 1'])
    }
  })
})

describe('a stack in the line', () => {
  // E-300
  test('one that has merged, is submitted again and is cancelled takes nobody along', () => {
    const story = new Story({ concurrency: 2 })
    stack(story, 1, 2)
    story.pass('> 1')
    story.submit(1)
    story.cancel(1)
    expect(story.states(1, 2)).toEqual(['CANCELLED', 'TESTING'])
  })

  // E-19, E-261
  test('one on top of one that is not ready starts when somebody merges that by hand', () => {
    const story = new Story({ concurrency: 2 })
    story.send({ type: 'reportPullRequest', number: 1, mergeable: false })
    stack(story, 1, 2)
    expect(story.states(1, 2)).toEqual(['NOT_READY', 'NOT_READY'])
    story.send({ type: 'reportManualMerge', number: 1 })
    expect(story.running).toEqual(['> 2'])
  })

  // E-266
  test('while what it depends on waits because of a conflict, it waits too', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(9)
    story.conflict(1, 9)
    stack(story, 1, 2)
    expect(story.running).toEqual(['> 9'])
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    story.cancel(9)
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })

  // E-118, E-264
  test('what leaves with the one below it is not looked at again before, so no other restarts for it', () => {
    const story = new Story({ concurrency: 3 })
    story.conflict(2, 1)
    stack(story, 1, 2)
    story.submit(3)
    story.restart(1)
    const before = story.started.length
    story.cancel(1)
    expect(story.started.slice(before)).toEqual(['> 3'])
    expect(story.happened('pullRequestMoved').findLast(({ number }) => number === 2)).toMatchObject(
      { from: 'PENDING_FAILURE', to: 'CANCELLED' },
    )
  })

  // E-69, E-266
  test('one that leaves its batch behind what it depends on is tested on top of that', () => {
    const story = new Story({ ...batch, concurrency: 3 })
    story.submitAs(9, { noBatch: true })
    story.submit(1, 2)
    story.submitAs(3, { dependsOn: [2] })
    story.update({ state: 'PAUSED' })
    story.unbuildable('9 > 1 2 3', 2, 9)
    story.cancel(9)
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
  })

  // E-118, E-266
  test('who waits for two waits on when only one has merged, and no other is tested again for it', () => {
    const story = new Story({ ...batch, batchingMinSize: 2, concurrency: 5 })
    story.submit(1, 9)
    story.submit(8, 2)
    story.submitAs(3, { dependsOn: [1, 2] })
    story.submit(4)
    story.fail('> 1 9')
    story.fail('> 8 2')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 8', '> 4'])
    story.pass('bisect > 1')
    story.fail('bisect > 8')
    story.pass('bisect > 2')
    expect(story.running).toEqual(['> 4', '4 > 1', '4 1 > 2'])
    story.pass('> 4')
    story.pass('4 > 1')
    expect(story.running).toEqual(['4 1 > 2'])
    story.pass('4 1 > 2')
    expect(story.running).toEqual(['> 3'])
  })

  // E-48, E-266
  test('it is tested while the code host merges what a bisection has proven below it', () => {
    const story = new Story({ ...batch, batchingMinSize: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.submitAs(3, { dependsOn: [1], noBatch: true })
    story.fail('> 1 2')
    expect(story.stateOf(3)).toBe('PENDING_FAILURE')
    story.pass('bisect > 1')
    expect(story.running).toEqual(['1 > 3'])
  })

  // E-68
  test('one that conflicts as text with what it depends on is tested when a report ends that', () => {
    const story = new Story({ concurrency: 3 })
    story.conflict(2, 1)
    stack(story, 1, 2)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    story.send({ type: 'reportPullRequest', number: 2, conflictsWith: [] })
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })

  // E-31, E-269
  test('in parallel mode, who waits behind it counts no wait of a batch that does not fill yet', () => {
    const story = new Story({ ...batch, mode: 'parallel', concurrency: 3 })
    for (const [number, targets] of [
      [1, ['api']],
      [2, []],
      [3, ['api']],
    ] as const) {
      story.touches(number, [...targets])
    }
    story.submitAs(3, { dependsOn: [2], priority: 50 })
    story.submit(1)
    story.wait(1)
    story.submit(2)
    story.wait(4)
    expect(story.running).toEqual([])
    story.wait(1)
    expect(story.running).toEqual(['> 2', '> 1'])
  })

  // E-267
  test('what lies on top impacts the targets of what lies below, also those uploaded later', () => {
    const story = new Story({ mode: 'parallel', concurrency: 3 })
    story.touches(1, ['app'])
    story.touches(2, ['docs'])
    stack(story, 1, 2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    // Nothing is known of the targets of this one.
    story.submitAs(3, { dependsOn: [1] })
    story.touches(1, ['app', 'lib'])
    expect(story.queue.impactedTargets[2]).toEqual(['docs', 'app', 'lib'])
    story.touches(4, ['api'])
    story.touches(5, ['web'])
    story.submit(4)
    story.submitAs(5, { dependsOn: [2, 4] })
    expect(story.queue.impactedTargets[5]).toEqual(['web', 'docs', 'app', 'lib', 'api'])
  })
})

/**
 * What comes in fails as one batch of four. The bisection proves 1 and 2, which are then tested again in the line and
 * bisected there, while the first bisection goes on: 2 is the culprit.
 */
function bisectedTwice(comeIn: (story: Story) => void): Story {
  const story = new Story(
    { ...batch, batchingMinSize: 4, bisectionConcurrency: 4 },
    { codeHost: 'answers' },
  )
  story.update({ state: 'PAUSED' })
  comeIn(story)
  story.update({ state: 'RUNNING' })
  story.fail('> 1 2 3 4')
  story.pass('bisect > 1 2')
  story.answerMerge(1, 'TARGET_BRANCH_MOVED')
  story.fail('> 1 2')
  // Both have a run of 1 alone; the first one changes nothing any more.
  story.pass('bisect > 1')
  story.pass('bisect > 1')
  return story
}

// E-290
test('one whose lower part another bisection tests again leaves its own, and waits for it', () => {
  const story = bisectedTwice((each) => {
    each.submit(1, 2, 3)
    each.submitAs(4, { dependsOn: [1] })
  })
  expect(story.states(1, 2, 3, 4)).toEqual(['TESTING', 'FAILED', 'TESTING', 'PENDING_FAILURE'])
  expect(story.running).toEqual(['bisect > 3', '> 1'])
  story.pass('> 1')
  story.pass('bisect > 3')
  story.answerMerge(1)
  expect(story.running).toEqual(['> 4'])
})

// E-264
test('those on top of a culprit leave before it does, also in a bisection that it was in before', () => {
  const story = bisectedTwice((each) => {
    each.submit(1, 2)
    each.submitAs(3, { dependsOn: [2] })
    each.submit(4)
  })
  expect(story.states(2, 3)).toEqual(['FAILED', 'CANCELLED'])
  expect(story.happened('memberDeparted').map(({ number }) => number)).toEqual([3, 2])
})
