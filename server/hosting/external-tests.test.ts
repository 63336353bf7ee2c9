/** Somebody else tests: the commit is placed on the repository as a branch, and removed afterwards. */

import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { testBranchPrefix } from '../identity/ids.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'
import type { EngineCommand, RecordedCommand } from '../../engine/index.ts'
import { systemTime } from '../queues/system-clock.ts'
import { apiOnlyIntegrations, makeQueue } from '../queues/managed-queue.ts'
import { TestCases } from '../history/test-cases.ts'
import { TestLimit, isToBeginAnew, minutesFor } from './test-limit.ts'

function testBranches({ repository }: HostedWorld): string[] {
  return repository.refs().filter((ref) => ref.startsWith(`refs/heads/${testBranchPrefix}`))
}

/** A world with a run in progress, whose branch is on the repository. */
async function placed() {
  const world = await hostedWorld({ tests: { kind: 'external' } })
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.untilState('TESTING', 1)
  await expect.poll(() => testBranches(world)).toHaveLength(1)
  const [branch = ''] = testBranches(world)
  return { world, branch }
}

test('the tested commit is a branch until the verdict, and is what lands', async () => {
  const { world, branch } = await placed()
  const commit = await world.repository.oidOf(branch)
  expect(world.host().commitOf(1)).toBe(commit)
  world.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed' })
  await world.untilState('MERGED', 1)
  await expect.poll(() => testBranches(world)).toEqual([])
  expect(await world.repository.oidOf('main')).toBe(commit)
})

test('the branch of a run that is cancelled is removed', matrix, async () => {
  const { world } = await placed()
  world.send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  await expect.poll(() => testBranches(world)).toEqual([])
})

test('after a restart only branches of runs in progress stay', matrix, async () => {
  const { world, branch } = await placed()
  await world.stop()
  const stray = branch.replace(/.$/, (digit) => (digit === '9' ? '8' : '9'))
  const foreign = `refs/heads/${testBranchPrefix}1/somebody-else`
  const commit = await world.repository.oidOf(branch)
  await world.repository.set(stray, commit)
  await world.repository.set(foreign, commit)
  await world.start()
  await expect.poll(() => testBranches(world)).toEqual([branch, foreign].sort())
  expect(await world.repository.oidOf(branch)).toBe(commit)
})

test('runs that fail together because the repository is away wait once, and are placed when it is back', async () => {
  const world = await hostedWorld({
    tests: { kind: 'external' },
    pollMs: 2 ** 30,
    set: { state: 'PAUSED', concurrency: 4 },
  })
  for (const number of [1, 2, 3, 4]) {
    await world.repository.commit(`refs/pull/${number}/head`, { [`${number}.txt`]: 'new\n' })
    await world.submit(number)
  }
  world.repository.hide()
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  const waits = (): number[] => {
    const failed = world.log.filter((line) => line.includes('the repository failed'))
    return failed.map((line) => Number(/"waitMs":(\d+)/.exec(line)?.[1]))
  }
  // The second is of the poll that comes after the first.
  await expect.poll(waits).toHaveLength(2)
  expect(waits()).toEqual([1_000, 2_000])
  world.repository.show()
  await expect.poll(() => testBranches(world)).toHaveLength(4)
})

/** Refuses the push of test branches for which the condition holds; `$new` is the commit. */
const refusing = (condition: string, words: string): string =>
  `while read old new ref; do
     case "$ref" in refs/heads/mergeyard/*) ${condition} && { echo "${words}" >&2; exit 1; };; esac
   done; exit 0`

//
test.each([
  ['whose words say it', 'error: GH013: Push cannot contain secrets'],
  ['whose words say nothing', 'not on a Friday'],
])('who is kept out of test branches %s leaves with the words', async (_, words) => {
  const set = { state: 'PAUSED', batch: true, batchingMinSize: 3, concurrency: 1 } as const
  const world = await hostedWorld({ tests: { kind: 'external' }, set })
  const { repository } = world
  const hasOdd = 'git ls-tree -r --name-only $new | grep -q odd.txt'
  repository.hook('pre-receive', refusing(hasOdd, words))
  for (const name of ['pay', 'odd', 'more']) {
    await repository.commit(`refs/heads/queue/${name}`, { [`${name}.txt`]: 'new\n' })
    await world.poll()
  }
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('FAILED', 2)
  await expect.poll(() => world.runs()).toHaveLength(1)
  for (const testRun of world.runs()) {
    world.send({ type: 'finishTestRun', testRun, outcome: 'passed' })
  }
  await world.untilState('MERGED', 1, 3)
  expect(world.history().pullRequests.get(2)?.refusedFor).toContain(words)
  expect(world.queue().state).toBe('RUNNING')
  expect(world.host().status().faults).toEqual([])
  await expect.poll(() => testBranches(world)).toEqual([])
})

//
test('a repository that takes no test branches pauses the queue with the words; it goes on by itself', async () => {
  const world = await hostedWorld({ tests: { kind: 'external' } })
  const { repository } = world
  const words = 'Cannot create ref due to creations being restricted.'
  repository.hook('pre-receive', refusing('true', words))
  await repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.until(() => world.queue().state === 'PAUSED')
  expect(world.host().status().faults.join()).toContain(words)
  // Given a restart, and another pull request that leaves meanwhile, then nothing is stuck.
  await world.stop()
  await world.start()
  expect(world.host().status().faults.join()).toContain(words)
  await repository.commit('refs/heads/queue/more', { 'more.txt': 'more\n' })
  await world.untilState('NOT_READY', 2)
  await repository.remove('refs/heads/queue/more')
  await world.untilState('CANCELLED', 2)
  repository.removeHook('pre-receive')
  await world.until(() => world.queue().state === 'RUNNING')
  await expect.poll(() => testBranches(world)).toHaveLength(1)
  await expect.poll(() => world.runs()).toHaveLength(1)
  for (const testRun of world.runs()) {
    world.send({ type: 'finishTestRun', testRun, outcome: 'passed' })
  }
  await world.untilState('MERGED', 1)
  expect(world.host().status().faults).toEqual([])
})

test('the pause for refused branches ends when nothing is left to test', matrix, async () => {
  const world = await hostedWorld({ tests: { kind: 'external' } })
  world.repository.hook('pre-receive', refusing('true', 'no'))
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.until(() => world.queue().state === 'PAUSED')
  world.send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  await world.until(() => world.queue().state === 'RUNNING')
  expect(world.host().status().faults).toEqual([])
})

//
test('a repository that keeps test branches holds up no merge, and its status says so', async () => {
  const { world, branch } = await placed()
  const { repository } = world
  repository.hook('pre-receive', refusing('[ "${new#*[!0]}" = "$new" ]', 'no deletions'))
  world.send({ type: 'finishTestRun', testRun: 1, outcome: 'passed' })
  await world.untilState('MERGED', 1)
  await repository.commit('refs/heads/queue/more', { 'more.txt': 'more\n' })
  await world.untilState('TESTING', 2)
  world.send({ type: 'finishTestRun', testRun: 2, outcome: 'passed' })
  await world.untilState('MERGED', 2)
  expect(testBranches(world)).toContain(branch)
  expect(world.host().status().faults.join()).toContain('no deletions')
  repository.removeHook('pre-receive')
  await expect.poll(() => testBranches(world)).toEqual([])
  await expect.poll(() => world.host().status().faults).toEqual([])
})

// How long a test run may take where nobody has said it, and runs that could not begin.

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

//
test('a run that a stopped server has left begins anew, with its whole time', async () => {
  let aheadMs = 0
  const time = { ...systemTime, system: () => Date.now() + aheadMs }
  const files = { 'test.sh': 'test -e "$FLAKED" || exec sleep 600\n' }
  const world = await hostedWorld({ set: { testingTimeoutMinutes: 5 }, time, files })
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.untilState('TESTING', 1)
  await world.stop()
  aheadMs = 4.9 * minute
  await world.start()
  aheadMs += 4 * minute
  world.send({ type: 'wake' })
  expect(world.states()).toEqual({ 1: 'TESTING' })
  await world.stop()
  writeFileSync(join(world.folder, 'flaked'), '')
  // It was to end hours ago.
  aheadMs += 600 * minute
  await world.start()
  await world.untilState('MERGED', 1)
  expect(world.moves(1).join()).not.toContain('FAILED')
})
