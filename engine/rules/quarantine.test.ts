import { describe, expect, test } from 'vitest'
import { emptyComposition } from '../model/ids.ts'
import { quarantineProposals } from '../model/quarantine.ts'
import type { Queue } from '../model/state.ts'
import { Story } from '../testing/story.ts'

const clock = 'clock > strikes'
const door = 'door > opens'
const minuteMs = 60_000

function quarantine(story: Story, name: string, untilMinute?: number) {
  const end = untilMinute === undefined ? {} : { until: untilMinute * minuteMs }
  return story.send({ type: 'quarantineTest', test: { name }, ...end })
}

const batch = { batch: true, batchingMinSize: 2, concurrency: 1 }

describe('a run in which only tests in quarantine fail', () => {
  // E-272
  test('is counted for each that merges by it, and for each test that failed', () => {
    const story = new Story(batch)
    quarantine(story, clock)
    quarantine(story, door)
    story.submit(1, 2)
    story.fail('> 1 2', clock, door)
    story.submit(3)
    story.wait(5)
    story.fail('> 3', door)
    expect(story.merged).toEqual([1, 2, 3])
    expect(story.queue.quarantine).toMatchObject({ merges: 3, mergesBy: { [clock]: 2, [door]: 3 } })
  })
})

// E-7, E-82, E-270, E-271, E-275
test.each(['constructor', 'toString', '__proto__'])('a test can be called %s', (name) => {
  const story = new Story()
  quarantine(story, door)
  expect(story.send({ type: 'releaseTest', test: { name } })).not.toBeNull()
  story.submit(1)
  story.fail('> 1', name)
  expect(story.stateOf(1)).toBe('FAILED')
  quarantine(story, name)
  story.submit(2)
  story.fail('> 2', name)
  expect(story.stateOf(2)).toBe('MERGED')
  const { quarantine: kept }: Queue = JSON.parse(story.engine.snapshot())
  expect(Object.entries(kept?.mergesBy ?? {})).toEqual([[name, 1]])
  expect(story.send({ type: 'releaseTest', test: { name } })).toBeNull()
  story.submit(3)
  const flaky = { outcome: 'passed', flakyTests: [{ name }] } as const
  story.send({ type: 'finishTestRun', testRun: 3, ...flaky })
  expect(Object.keys(story.queue.flakyTests)).toEqual([name])
})

describe('what a change of the quarantine changes', () => {
  // E-276
  test('a tip that fails is tested at once', () => {
    const story = new Story({ tipTestMode: 'always' })
    story.submit(1)
    story.fail('> 1', clock)
    story.fail('tip', clock)
    expect(story.running).toEqual([])
    quarantine(story, clock)
    expect(story.running).toEqual(['tip'])
    story.fail('tip', clock)
    expect(story.running).toEqual(['> 1'])
  })

  // E-270
  test('an entry says what was told, and keeps only since when it is there when it is renewed', () => {
    const story = new Story()
    story.send({ type: 'quarantineTest', test: { name: clock }, who: 'dana', why: 'QA-1' })
    const told = { who: 'dana', why: 'QA-1', since: 0 }
    expect(story.queue.quarantine?.tests[clock]).toEqual(told)
    story.wait(3)
    quarantine(story, clock, 60)
    expect(story.queue.quarantine?.tests[clock]).toEqual({ since: 0, until: 60 * minuteMs })
  })

  // E-270, E-275
  test('one more than a thousand, and a release of what is not there, are refused', () => {
    const story = new Story()
    for (let at = 0; at < 1000; at++) quarantine(story, `test ${at}`)
    expect(quarantine(story, clock)).toEqual({ code: 'quarantine is full' })
    expect(quarantine(story, 'test 7', 5)).toBeNull()
    const release = { type: 'releaseTest', test: { name: clock } } as const
    expect(story.send(release)).toEqual({ code: 'not in quarantine', test: clock })
  })
})

// E-278
test('what a bisection passed by an entry does not convict once that has ended', () => {
  const ofThree = { ...batch, batchingMinSize: 3, bisectionConcurrency: 1 }
  const story = new Story({ ...ofThree, tipTestMode: 'always' })
  quarantine(story, clock, 10)
  story.submitTogether(1, 2, 3)
  story.fail('> 1 2 3', door)
  story.fail('bisect > 1', clock)
  story.wait(10)
  story.fail('bisect > 2', clock)
  story.fail('bisect > 2', clock)
  expect(story.stateOf(2)).toBe('TESTING')
  expect(story.running).toEqual(['tip'])
  story.fail('tip', clock)
  expect(story.stateOf(2)).toBe('PENDING')
})

// E-278, E-233
test('a branch mended by an entry is tested again, once that has ended, before anybody is FAILED', () => {
  const story = new Story({ tipTestMode: 'always', concurrency: 1 })
  quarantine(story, clock, 10)
  story.submit(1)
  story.fail('> 1', door)
  story.fail('tip', door)
  story.urgent(2)
  story.fail('> 2', clock)
  expect(story.queue.tipTest?.failure).toBeNull()
  story.wait(10)
  story.fail('> 1', clock)
  expect(story.stateOf(1)).toBe('PENDING_FAILURE')
  expect(story.running).toEqual(['tip'])
})

describe('flakes and the quarantine', () => {
  const twice = (first: string[], second: string[], ...listed: string[]): Story => {
    const story = new Story()
    for (const each of listed) quarantine(story, each)
    story.send({ type: 'submitPullRequest', number: 1, priority: 1 })
    story.send({ type: 'updateQueue', set: { pendingFailureDepth: 1 } })
    story.submit(2)
    story.fail('> 1', ...first)
    story.restart(1)
    story.fail('> 1', ...second)
    return story
  }

  // E-274
  test('a pass in spite of the same tests contradicts no failure', () => {
    const story = twice([clock, door], [clock], clock)
    expect(story.happened('verdictContradicted')).toMatchObject([{ flakyTests: [door] }])
    const other = new Story({ pendingFailureDepth: 1 })
    other.submit(1, 2)
    other.fail('> 1', clock)
    quarantine(other, clock)
    other.restart(1)
    other.fail('> 1', clock)
    expect(other.happened('verdictContradicted')).toEqual([])
    expect(other.queue.flakyTests).toEqual({})
  })

  // E-277
  test('proposed are known flakes that failed lately, the worst first, and none that is listed', () => {
    const story = twice([door, clock], [door], door)
    expect(quarantineProposals(story.queue, 0)).toEqual([{ test: clock, failures: 1, flakes: 1 }])
    quarantine(story, clock, 10)
    expect(quarantineProposals(story.queue, 9 * minuteMs)).toEqual([])
    expect(quarantineProposals(story.queue, 10 * minuteMs)).toHaveLength(1)
  })
})

// E-277
test('proposals are in the order of flakes, failures and names', () => {
  const story = new Story()
  const { queue } = story
  const verdict = (contradicted: boolean, ...failedTests: string[]) => {
    return {
      composition: emptyComposition,
      run: 0,
      outcome: 'failed',
      failedTests,
      contradicted,
    } as const
  }
  const verdicts = [
    verdict(true, 'd', 'd', 'c'),
    verdict(false, 'b', 'c', 'a'),
    verdict(false, 'x'),
  ]
  const flakyTests = { a: true, b: true, c: true, d: true, old: true } as const
  const found = quarantineProposals({ ...queue, verdicts, flakyTests }, 0)
  expect(found.map(({ test: name }) => name)).toEqual(['c', 'd', 'a', 'b'])
})
