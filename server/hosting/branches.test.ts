/** Branches below `queue/`: a push is a submission, and the merge removes the branch. */

import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { backUp, restore } from '../backup/backup.ts'
import { dataFolder } from '../store/data-folder.ts'
import { git, linesOf } from '../git/git.ts'
import { mirrorFolder } from './hosts.ts'
import { TestRepository } from './testing/test-repository.ts'
import { hostedWorld } from './testing/hosted-world.ts'
import { onlyCommand } from '../runner/command-runner.ts'

const requestRef = 'refs/heads/queue/pay'

test('a branch that is pushed below queue/ is submitted, merged, and removed by the same push', async () => {
  const world = await hostedWorld()
  // Its test compares with the target branch, as in a clone.
  const compared =
    'test "$(git diff --name-only origin/main...HEAD)" = "$(printf "pay.txt\\ntest.sh")"'
  const isThere = 'git rev-parse --verify origin/queue/pay'
  await world.repository.commit(requestRef, {
    'pay.txt': 'twice\n',
    'test.sh': `${compared} && ${isThere}\n`,
  })
  await world.untilState('MERGED', 1)
  expect(await world.repository.landed()).toEqual(['1'])
  expect(await world.repository.text('pay.txt')).toBe('twice')
  expect(world.repository.refs()).toEqual(['refs/heads/main'])
  //
  await world.stop()
  await world.start()
  expect(await world.host().open('queue/pay')).toEqual({ value: { number: 1 } })
  const wordsFor = async (branch: string) => {
    const opened = await world.host().open(branch)
    return 'refused' in opened ? [opened.refused.status, opened.refused.text] : []
  }
  for (const branch of ['queue/play', 'pay', 'origin/queue/pay', 'refs/heads/queue/pay'])
    expect(await wordsFor(branch)).toEqual([
      404,
      `the repository has no branch ${branch} (did you mean queue/pay?): push it first`,
    ])
  expect((await wordsFor('x')).at(-1)).toBe('the repository has no branch x: push it first')
})

test('a branch that changes nothing is told of once, however often the target branch moves', async () => {
  const world = await hostedWorld()
  const { repository } = world
  const refusals = () => world.log.filter((line) => line.includes('cannot enter')).length
  const none = 'refs/heads/queue/none'
  await repository.set(none, await repository.oidOf('main'))
  await world.poll()
  await repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 2)
  await world.poll()
  expect(refusals()).toBe(1)
  await repository.set(none, await repository.oidOf('main'))
  await world.poll()
  expect(refusals()).toBe(2)
  const opened = await world.host().open('queue/none')
  const number = 'value' in opened ? opened.value.number : 0
  expect(world.host().refusalOf(number)).toContain(`pull request ${number} changes nothing on main`)
  expect(world.host().refusalOf(2)).toBeNull()
  await repository.remove(none)
  await world.poll()
  expect(world.host().refusalOf(number)).toBeNull()
})

test('a branch whose name is not UTF-8 is told of once, and the others go on', async () => {
  const world = await hostedWorld()
  const { repository } = world
  const head = await repository.commit('refs/heads/other', { 'other.txt': 'other\n' })
  const name = Buffer.from(`${head} refs/heads/queue/caf\u00e9\n`, 'latin1')
  writeFileSync(join(repository.path, 'packed-refs'), name)
  await world.poll()
  await repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 2)
  await world.poll()
  const lines = world.log.filter((line) => line.includes('cannot enter'))
  expect(lines).toEqual([expect.stringContaining('its name is not UTF-8')])
})

test('a force-pushed head leaves the queue and enters again with the new commit', async () => {
  // No verdict is told, so the run is still in progress when the push comes.
  const world = await hostedWorld({ hold: () => undefined })
  await world.repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('TESTING', 1)
  const head = await world.repository.commit(requestRef, { 'pay.txt': 'once\n' })
  await world.until(() => world.moves(1).includes('CANCELLED PR_PUSHED_TO'))
  await world.until(() => world.runs().includes(2))
  const snapshot = await world.host().snapshotOf(1)
  expect('value' in snapshot && snapshot.value.head).toBe(head)
})

//
test('given a fresh data folder, branches that are there already are no request, and one line says so', async () => {
  const world = await hostedWorld()
  const { repository } = world
  await world.stop()
  world.forget()
  const [old, gone, asked] = ['refs/heads/queue/old', 'refs/heads/queue/gone', requestRef] as const
  await repository.commit(old, { 'old.txt': 'old\n' })
  const head = await repository.commit(gone, { 'gone.txt': 'gone\n' })
  await repository.commit(asked, { 'pay.txt': 'twice\n' })
  await world.start()
  // Nothing that is pushed from now on is taken for one of them.
  expect(world.host().status().lastLookAt).not.toBeNull()
  await world.poll()
  await world.stop()
  await world.start()
  await world.poll()
  expect(world.states()).toEqual({})
  const lines = world.log.filter((line) => line.includes('is no request'))
  expect(lines).toEqual([expect.stringContaining('["queue/gone","queue/old","queue/pay"]')])
  // Each way to ask again.
  const opened = await world.host().open('queue/pay')
  const { number } = 'value' in opened ? opened.value : { number: 0 }
  await world.submit(number)
  await repository.remove(gone)
  await world.poll()
  await repository.set(gone, head)
  await world.until(() => Object.values(world.states()).includes('MERGED'))
  await repository.commit(old, { 'old.txt': 'new\n' })
  await world.until(() => world.states()[3] !== undefined)
  await world.untilState('MERGED', 1, 2, 3)
})

//
test('given a restored backup, branches that were no request are none', async () => {
  const world = await hostedWorld()
  await world.stop()
  world.forget()
  await world.repository.commit('refs/heads/queue/old', { 'old.txt': 'old\n' })
  await world.start()
  await world.stop()
  const backup = join(world.folder, 'backup.tar')
  const data = join(world.folder, 'data')
  await backUp(dataFolder(data), backup, new Date('2026-01-01T00:00:00Z'))
  world.forget()
  await restore(backup, data, pino({ enabled: false }))
  await world.start()
  await world.poll()
  expect(world.states()).toEqual({})
})

//
test('given a folder of a queue that is lost, who was submitted stays, and other branches are no request', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  await world.repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.until(() => world.states()[1] !== undefined)
  await world.stop()
  rmSync(join(world.folder, 'data', 'queues'), { recursive: true })
  await world.repository.commit('refs/heads/queue/old', { 'old.txt': 'old\n' })
  await world.start()
  await world.poll()
  const lines = world.log.filter((line) => line.includes('is no request'))
  expect(lines).toEqual([expect.stringContaining('["queue/old"]')])
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1)
  expect(world.states()).toEqual({ 1: 'MERGED' })
})

test('given a target branch that is gone, what has passed says what it waits for, and lands when the branch is back', async () => {
  const held: (() => void)[] = []
  const world = await hostedWorld({
    hold: (_command, send) => (held.length === 0 ? void held.push(send) : send()),
  })
  await world.repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await expect.poll(() => held.length).toBe(1)
  const main = await world.repository.oidOf('main')
  await world.repository.remove('refs/heads/main')
  held[0]?.()
  await world.untilState('TESTS_PASSED', 1)
  expect(world.why(1)).toBe('Its tests passed; it merges as soon as the branch takes it.')
  await world.repository.set('refs/heads/main', main)
  await world.untilState('MERGED', 1)
})

test('the heads of pull requests that the queue has forgotten are kept no longer after the next start', async () => {
  const world = await hostedWorld()
  const { repository } = world
  const old = await repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 1)
  world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  const head = await repository.commit('refs/heads/queue/ship', { 'ship.txt': 'once\n' })
  await world.untilState('NOT_READY', 2)
  const mirror = mirrorFolder(join(world.folder, 'data'), repository.path)
  const listed = ['for-each-ref', '--format=%(objectname)', 'refs/mergeyard/heads/']
  const kept = async () => new Set(linesOf(await git(['--git-dir', mirror, ...listed])))
  expect(await kept()).toEqual(new Set([old, head]))
  world.send({ type: 'forget', numbers: [1] })
  await world.stop()
  await world.start()
  expect(await kept()).toEqual(new Set([head]))
  // Its objects are there: something may stand on them that no ref names.
  expect(await git(['--git-dir', mirror, 'cat-file', '-t', old])).toBe('commit\n')
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 2)
})

//
test('given a crash after the push of a merge, its branch goes at the next start, so no revert brings it back', async () => {
  const held: (() => void)[] = []
  let isDying = true
  const world = await hostedWorld({
    hold: (command, send) => {
      if (command.type === 'finishMerge' && isDying) held.push(send)
      else send()
    },
  })
  const { repository } = world
  await repository.git(['config', 'receive.advertiseAtomic', 'false'])
  const head = await repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await expect.poll(() => held.length).not.toBe(0)
  await world.stop()
  isDying = false
  // Where no push can be atomic, the branches go with a second one.
  await repository.set(requestRef, head)
  await world.start()
  await world.untilState('MERGED', 1)
  expect(repository.refs()).not.toContain(requestRef)
  await repository.commitTree('refs/heads/main', 'main~1', ['main'], 'Revert')
  await world.poll()
  await world.poll()
  expect(world.states()).toEqual({ 1: 'MERGED' })
})

test('a branch that the repository lets nobody remove merges once, also after a revert', async () => {
  const world = await hostedWorld()
  const { repository } = world
  await repository.git(['config', 'receive.advertiseAtomic', 'false'])
  await repository.git(['config', 'receive.denyDeletes', 'true'])
  await repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 1)
  await world.poll()
  await repository.commitTree('refs/heads/main', 'main~1', ['main'], 'Revert')
  await world.poll()
  await world.stop()
  await world.start()
  await world.poll()
  expect(world.queue().last.testRun).toBe(1)
})

test('a push to the branch in the moment of its merge stops the merge, and is tested', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  const { repository } = world
  await repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  const late = await repository.commit('refs/heads/late', { 'pay.txt': 'once\n' })
  // The hook runs during the push of the merge, which has compared the heads already.
  repository.hook(
    'pre-receive',
    `mkdir seen 2>/dev/null && env -u GIT_QUARANTINE_PATH git update-ref ${requestRef} ${late}; exit 0`,
  )
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1)
  expect(world.moves(1)).toContain('FAILED PR_UPDATED_AT_MERGE_TIME')
  expect(await repository.text('pay.txt')).toBe('once')
  expect(await repository.landed()).toEqual(['1'])
})

test('a branch whose tests fail stays, and enters again with the next push', async () => {
  const world = await hostedWorld()
  await world.repository.commit(requestRef, { 'broken/pay': 'yes\n' })
  await world.untilState('FAILED', 1)
  await world.poll()
  expect(world.states()).toEqual({ 1: 'FAILED' })
  await world.repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 1)
})

//
test('a branch that stays after its pull request has left is no request when that is forgotten', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  const head = await world.repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  world.send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  await world.poll()
  world.send({ type: 'forget', numbers: [1] })
  await world.poll()
  await world.stop()
  await world.start()
  expect(world.states()).toEqual({})
  await world.repository.remove(requestRef)
  await world.poll()
  await world.repository.set(requestRef, head)
  await world.poll()
  expect(world.states()).toEqual({ 1: 'NOT_READY' })
})

test('branches keep their numbers after a restart', matrix, async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  await world.repository.commit('refs/heads/queue/b', { 'b.txt': 'b\n' })
  await world.untilState('NOT_READY', 1)
  await world.repository.commit('refs/heads/queue/c', { 'c.txt': 'c\n' })
  await world.untilState('NOT_READY', 2)
  await world.stop()
  await world.repository.commit('refs/heads/queue/a', { 'a.txt': 'a\n' })
  await world.start()
  await world.untilState('NOT_READY', 3)
  const snapshots = await Promise.all([1, 2, 3].map((number) => world.host().snapshotOf(number)))
  const refs = snapshots.map((snapshot) => ('value' in snapshot ? snapshot.value.ref : null))
  expect(refs).toEqual(['refs/heads/queue/b', 'refs/heads/queue/c', 'refs/heads/queue/a'])
})

//
test('given a queue that is deleted and created again, what was pushed meanwhile is no request, and the next push is', async () => {
  const world = await hostedWorld()
  const { repository } = world
  const { hosts } = world.server
  world.send({ type: 'deleteQueue' })
  await expect.poll(() => world.log.join()).toContain('nobody tests or merges here until')
  expect([...hosts.all]).toEqual([])
  await repository.commit('refs/heads/queue/old', { 'old.txt': 'old\n' })
  world.send({ type: 'createQueue', incarnation: randomUUID(), set: {} })
  const looks = () => Array.from(hosts.all, (host) => host.status().lastLookAt !== null)
  await expect.poll(looks).toEqual([true])
  await repository.commit(requestRef, { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 1)
  expect(world.states()).toEqual({ 1: 'MERGED' })
  expect(await repository.landed()).toEqual(['1'])
  expect(repository.refs()).toContain('refs/heads/queue/old')
  expect(world.queue().configuration.policy).toBe('documented')
})

//
test(
  'a start with other settings says what it replaces, and resumes no queue',
  matrix,
  async () => {
    const world = await hostedWorld({
      set: { concurrency: 3, mode: 'single', state: 'RUNNING' },
      tests: { kind: 'external' },
    })
    await world.repository.commit('refs/pull/1/head', { 'pay.txt': 'twice\n' })
    world.send({ type: 'updateQueue', set: { concurrency: 8, mode: 'parallel' } })
    world.send({ type: 'setImpactedTargets', number: 1, targets: ['pay'] })
    await world.submit(1)
    world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
    await world.stop()
    await world.start()
    const { state, configuration } = world.queue()
    expect([state, configuration.mode, configuration.concurrency]).toEqual([
      'PAUSED',
      'parallel',
      3,
    ])
    const warnings = world.log.flatMap((line) => {
      const { words }: { readonly words?: string } = JSON.parse(line)
      return words ?? []
    })
    expect(warnings).toEqual([
      'concurrency is 3 and was 8',
      'mode single is for a queue that is RUNNING, or in which nobody is tested: start again then',
    ])
    world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
    await world.stop()
    await world.start()
    expect(world.queue().state).toBe('SWITCHING_MODES')
  },
)

test('a submodule with a relative address is fetched by the test command', matrix, async () => {
  const files = 'git -c protocol.file.allow=always'
  const run = `${files} submodule --quiet update --init && [ -f lib/pay.txt ]`
  const world = await hostedWorld({
    set: { state: 'PAUSED' },
    tests: { kind: 'command', run, ...onlyCommand, bubblewrap: false },
  })
  const { repository } = world
  const lib = new TestRepository(join(world.folder, 'lib.git'))
  await lib.make({ 'pay.txt': 'twice\n' })
  const gitmodules = '[submodule "lib"]\n\tpath = lib\n\turl = ../lib.git\n'
  await repository.commit('refs/heads/side', { '.gitmodules': gitmodules })
  const link = `160000 commit ${await lib.oidOf('main')}\tlib`
  const tree = await repository.git(
    ['mktree', '--missing'],
    `${await repository.git(['ls-tree', 'side'])}\n${link}\n`,
  )
  await repository.commitTree('refs/heads/queue/lib', tree, ['main'], 'Add a library')
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1)
  expect(await repository.files()).toContain('lib')
})
