import { describe, expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { phasesOf } from '../evolve/evolution.ts'
import { noPhases } from '../model/group.ts'
import { newQueue } from '../model/queue.ts'
import type { Queue } from '../model/state.ts'
import { Story } from '../testing/story.ts'
import type { SerializedQueue } from './format.ts'
import { createdQueue, isForEngine, readInto, readQueue, serializedQueue } from './queue.ts'

const silent = {
  clock: { wakeAt: () => undefined },
  testRunner: { start: () => undefined, cancel: () => undefined },
}

/** A line with a group in each phase: 1 testing, 2 passed, 3 conflicted, 4 failed, 5 waiting. */
function oneInEachPhase(): Story {
  const story = new Story({ concurrency: 3 })
  story.conflict(3, 1)
  story.submit(1, 2, 3, 4, 5)
  story.pass('1 > 2')
  story.fail('1 2 > 4')
  story.error('1 2 4 > 5')
  return story
}

describe('the lists of groups by phase', () => {
  test('follow every change of phase, in the order of the line', () => {
    const story = oneInEachPhase()
    const { phases } = story.queue
    expect(phases).toEqual({
      waiting: [5],
      testing: [1],
      passed: [2],
      failed: [4],
      conflicted: [3],
    })
    story.urgent(6)
    expect(story.queue.line).toEqual([6, 1, 2, 3, 4, 5])
    expect(phases).toMatchObject({
      waiting: [4, 5],
      testing: [6, 1, 2],
      failed: [],
      conflicted: [3],
    })
    for (const number of [6, 1, 2, 3, 4, 5]) story.cancel(number)
    expect(phases).toEqual(noPhases())
  })

  test('are computed when a snapshot is read, and the engine continues identically', () => {
    const story = oneInEachPhase()
    const { phases, verdictMarks, ...written }: Queue = JSON.parse(story.engine.snapshot())
    const read = readQueue(written)
    expect(read.phases).toEqual(phases)
    expect(read.verdictMarks).toEqual(verdictMarks)
    expect(verdictMarks).toHaveLength(2)
    const copy = new Engine(read, silent)
    const command = { type: 'finishTestRun', testRun: 1, outcome: 'passed', at: 7 } as const
    expect(copy.dispatch(command)).toEqual(story.engine.dispatch(command))
    expect(phasesOf(read)).toEqual(read.phases)
  })
})

describe('a snapshot of a group', () => {
  const readBack = (story: Story): Queue => {
    const written: Queue = JSON.parse(story.engine.snapshot())
    const read = readQueue(written)
    expect(read).toEqual(written)
    return read
  }

  // E-7, E-187
  test('keeps that a failed group has stepped aside', () => {
    const story = new Story({ concurrency: 2, policy: 'adaptive' })
    story.submit(1, 2)
    story.fail('1 > 2')
    expect(readBack(story).groups[2]?.phase).toMatchObject({ kind: 'failed', aside: true })
  })

  describe('of an older version, which does not say for what one waits that is left out', () => {
    const ofAnOlder = (story: Story): Engine => {
      const written = story.engine.snapshot()
      const old = written.replaceAll(/,"asText":(true|false)/g, '')
      expect(old.length).toBeLessThan(written.length)
      const read: SerializedQueue = JSON.parse(old)
      return new Engine(readQueue(read), silent)
    }

    // E-7, E-68
    test('is looked at again when the one with which it conflicts leaves', () => {
      const story = new Story({ concurrency: 2 })
      story.conflict(2, 1)
      story.submit(1, 2)
      const engine = ofAnOlder(story)
      engine.dispatch({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED', at: 1 })
      expect(engine.queue.pullRequests[2]?.state).toBe('TESTING')
    })

    // E-7, E-266
    test('is tested when the one on which it depends has merged', () => {
      const story = new Story({ batch: true, batchingMinSize: 2 })
      story.submit(1, 2)
      story.submitAs(3, { dependsOn: [1], noBatch: true })
      story.fail('> 1 2')
      expect([story.running, story.stateOf(3)]).toEqual([['bisect > 1'], 'PENDING_FAILURE'])
      const engine = ofAnOlder(story)
      engine.dispatch({ type: 'finishTestRun', testRun: 3, outcome: 'passed', at: 1 })
      const states = [1, 3].map((number) => engine.queue.pullRequests[number]?.state)
      expect(states).toEqual(['MERGED', 'TESTING'])
    })
  })

  // E-7, E-220
  test('keeps that the code host lands all members, and a resumed engine asks for all', () => {
    const story = new Story({ batch: true, batchingMinSize: 2 }, { codeHost: 'groups' })
    story.submit(1, 2)
    story.pass('> 1 2')
    const requests: (readonly number[])[] = []
    const codeHost = { merge: (numbers: readonly number[]) => void requests.push(numbers) }
    new Engine(readBack(story), { ...silent, codeHost }).resume()
    expect(requests).toEqual([[1, 2]])
  })
})

describe('settings that earlier versions wrote', () => {
  const gone = (isOn: boolean): object => ({ screening: isOn, batchesGrow: false, concurrency: 3 })
  const incarnation = 'f3efb128-cd10-4377-a6a6-e6de0e17f294'

  test.each([
    [true, 'adaptive'],
    [false, 'documented'],
  ] as const)('become a policy: with one %s it is %s', (isOn, policy) => {
    const created = createdQueue({ type: 'createQueue', incarnation, set: gone(isOn) }, 0)
    expect(created.configuration).toMatchObject({ policy, concurrency: 3 })
    expect(created.configuration).not.toHaveProperty('screening')

    const { configuration, ...line } = serializedQueue(newQueue())
    const written = { ...line, configuration: { ...configuration, ...gone(isOn) } }
    expect(readQueue(written).configuration).toEqual({ ...configuration, policy, concurrency: 3 })

    const story = new Story({ policy: isOn ? 'documented' : 'adaptive' })
    story.update(gone(isOn))
    expect(story.queue.configuration).toMatchObject({ policy, concurrency: 3 })
    // The events of the command are those that were recorded.
    expect(story.happened('queueConfigured')).toMatchObject([{ set: gone(isOn) }])
  })
})

// E-238
test('a queue from before tips were tested by themselves does not test them, whatever its policy', () => {
  const incarnation = 'f3efb128-cd10-4377-a6a6-e6de0e17f294'
  const set = { policy: 'adaptive' } as const
  const created = createdQueue({ type: 'createQueue', incarnation, set }, 0)
  expect(created.configuration.tipTestMode).toBe('off')
  const written = serializedQueue(newQueue())
  Reflect.deleteProperty(written.configuration, 'tipTestMode')
  expect(readQueue(written).configuration.tipTestMode).toBe('off')
  expect(readQueue(serializedQueue(newQueue())).configuration.tipTestMode).toBe('policy')
})

test('the content of a queue with lines of its own is not in the line of the queue, and is read back into it', () => {
  const story = oneInEachPhase()
  story.touches(7, ['a'])
  const written: Queue = JSON.parse(story.engine.snapshot())
  const line = serializedQueue(written)
  expect(line).toMatchObject({ pullRequests: {}, impactedTargets: {} })
  const read = readQueue(line)
  for (const engine of Object.values(written.pullRequests)) {
    readInto(read, { pullRequest: engine.number, engine })
  }
  // Reported, but never submitted.
  readInto(read, { pullRequest: 8, engine: null })
  readInto(read, { impactedTargets: 7, targets: ['a'] })
  expect(read).toEqual(written)
})

test('commands that create or delete a queue, or only record something, are not for its engine', () => {
  const tests = { type: 'recordTestCases', tests: [] } as const
  const repository = { host: 'h', owner: 'o', name: 'n' }
  const link = { type: 'linkTicket', repository, testCase: 't', ticket: 'A-1' } as const
  const creation = { type: 'createQueue', incarnation: 'i', set: {} } as const
  const tip = { type: 'reportTip', commit: 'c' } as const
  const deletion = { type: 'deleteQueue' } as const
  expect([tests, link, creation, tip, deletion].map(isForEngine)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
  expect(isForEngine({ type: 'submitPullRequest', number: 1 })).toBe(true)
})

describe('a hold in an old snapshot, which lists the runs that it waits for', () => {
  /** 1 has failed and waits for two successors; the runs of both are under way. */
  function oldSnapshot(): SerializedQueue {
    const story = new Story({ concurrency: 3, pendingFailureDepth: 2 })
    story.submit(1, 2, 3)
    story.fail('> 1')
    const { phases: _phases, ...written }: Queue = JSON.parse(story.engine.snapshot())
    const held = /"heldUntil":\d+/
    expect(JSON.stringify(written)).toMatch(held)
    const old: SerializedQueue = JSON.parse(JSON.stringify(written).replace(held, '"noted":[2,3]'))
    return old
  }

  test('is read without the list, and begins anew at the next command', () => {
    const read = readQueue(oldSnapshot())
    expect(read.groups[1]?.phase).toMatchObject({ kind: 'failed', heldUntil: null })
    expect(read.groups[1]?.phase).not.toHaveProperty('noted')
    const engine = new Engine(read, silent)
    engine.dispatch({ type: 'finishTestRun', testRun: 2, outcome: 'errored', at: 60_000 })
    expect(engine.queue.groups[1]?.phase).toMatchObject({ heldUntil: 301 * 60_000 })
  })

  test('ends with the verdicts, not with the runs of the list', () => {
    const engine = new Engine(readQueue(oldSnapshot()), silent)
    engine.dispatch({ type: 'finishTestRun', testRun: 2, outcome: 'failed', at: 0 })
    engine.dispatch({ type: 'finishTestRun', testRun: 3, outcome: 'errored', at: 0 })
    expect(engine.queue.pullRequests[1]?.state).toBe('PENDING_FAILURE')
    engine.dispatch({ type: 'wake', at: 60_000 })
    engine.dispatch({ type: 'finishTestRun', testRun: 4, outcome: 'failed', at: 60_000 })
    expect(engine.queue.pullRequests[1]?.state).toBe('FAILED')
  })
})
