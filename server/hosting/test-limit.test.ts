/** How long a test run may take where nobody has said it, and runs that could not begin. */

import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EngineCommand, RecordedCommand } from '../../engine/index.ts'
import { apiOnlyIntegrations, makeQueue } from '../queues/managed-queue.ts'
import { TestCases } from '../history/test-cases.ts'
import { TestLimit, isToBeginAnew, minutesFor } from './test-limit.ts'
import { hostedWorld } from './testing/hosted-world.ts'

const minute = 60_000
const times = (count: number, minutes: number): number[] =>
  Array.from({ length: count }, () => minutes * minute)

//
test.each([
  { given: 'too few runs', lengths: times(19, 5), minutes: null },
  { given: 'short runs', lengths: times(20, 1), minutes: 10 },
  { given: 'runs of 20 minutes', lengths: times(20, 20), minutes: 60 },
  { given: 'one odd run of 20', lengths: [...times(19, 20), 500 * minute], minutes: 60 },
  { given: 'two odd runs of 20', lengths: [...times(18, 20), ...times(2, 200)], minutes: 600 },
])('given $given, the limit is $minutes minutes', ({ lengths, minutes }) => {
  expect(minutesFor(lengths)).toBe(minutes)
})

/** A queue on a clock of the test, whose runs take so many minutes. */
function queueOf(isGiven: boolean) {
  const world = { at: 0, number: 0 }
  const ports = { wakeAt: () => undefined, integrations: apiOnlyIntegrations }
  const queue = makeQueue(
    { host: 'local', owner: 'acme', name: 'shop', targetBranch: 'main' },
    { type: 'createQueue', incarnation: '0b5c1b5e-0000-4000-8000-000000000000', set: {}, at: 0 },
    { ...ports, testCases: new TestCases(), epoch: () => null },
  )
  const dispatch = (command: EngineCommand): void => {
    queue.engine.dispatch({ ...command, at: world.at })
  }
  const send = (command: RecordedCommand): void => {
    if (command.type === 'updateQueue') dispatch(command)
  }
  const limit = new TestLimit({ queue, now: () => world.at, send }, isGiven)
  const run = (count: number, minutes: number): void => {
    for (let each = 0; each < count; each++) {
      dispatch({ type: 'submitPullRequest', number: ++world.number })
      world.at += minutes * minute
      const [testRun] = Object.values(queue.engine.queue.testRuns)
      if (testRun) dispatch({ type: 'finishTestRun', testRun: testRun.id, outcome: 'passed' })
      else throw new Error('no run is in progress')
    }
    limit.adjust()
  }
  const minutes = (): number => queue.engine.queue.configuration.testingTimeoutMinutes
  return { queue, world, dispatch, limit, run, minutes }
}

//
test('the limit follows the runs that pass, doubles when it ends one, and leaves what somebody has set', () => {
  const { world, dispatch, limit, run, minutes, queue } = queueOf(false)
  run(19, 20)
  expect(minutes()).toBe(300)
  run(1, 20)
  expect(minutes()).toBe(60)
  // Given a run that takes too long, the limit is learned anew.
  dispatch({ type: 'submitPullRequest', number: 1_000 })
  world.at += 61 * minute
  dispatch({ type: 'wake' })
  limit.adjust()
  expect(queue.engine.queue.pullRequests[1_000]?.reason).toBe('TEST_RUN_TIMEOUT')
  expect(minutes()).toBe(120)
  dispatch({ type: 'updateQueue', set: { testingTimeoutMinutes: 300 } })
  run(40, 1)
  expect(minutes()).toBe(300)
  limit.close()
})

test('a limit in the configuration of the server stays', () => {
  const { run, minutes } = queueOf(true)
  run(20, 1)
  expect(minutes()).toBe(300)
})

//
test.each([
  { startedAt: 0, deadline: 300 * minute, now: 70 * minute, isToo: false },
  { startedAt: 0, deadline: 300 * minute, now: 80 * minute, isToo: true },
  { startedAt: 0, deadline: 12 * minute, now: minute, isToo: false },
  { startedAt: 0, deadline: 12 * minute, now: 2.5 * minute, isToo: true },
])('a run that a fault holds up, of $deadline ms, gets its time anew at $now: $isToo', (each) => {
  expect(isToBeginAnew(each, each.now)).toBe(each.isToo)
})

//
test('a run that cannot begin times nobody out, and is tested when the fault is over', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED', testingTimeoutMinutes: 5 } })
  const queues = join(world.folder, 'data', 'queues')
  const slots = join(queues, readdirSync(queues)[0] ?? '', 'slots')
  renameSync(slots, `${slots}.away`)
  writeFileSync(slots, 'no folder\n')
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.until(() => world.queue().last.testRun > 1)
  renameSync(slots, `${slots}.file`)
  renameSync(`${slots}.away`, slots)
  await world.untilState('MERGED', 1)
  expect(world.moves(1).join()).not.toContain('FAILED')
})
