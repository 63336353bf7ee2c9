/** The target branch is changed from outside: nobody fails for it. */

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { onlyCommand } from '../runner/command-runner.ts'
import { type HostedWorld, hostedWorld } from './testing/hosted-world.ts'
import { TestRepository } from './testing/test-repository.ts'
import { testBranchPrefix } from '../identity/ids.ts'

const requestRef = (name: string): string => `refs/heads/queue/${name}`
const mainRef = 'refs/heads/main'
const optimistic = { canOptimisticallyMerge: true, pendingFailureDepth: 1 }

test('a push that comes just before the push of a merge fails nobody', async () => {
  const held: (() => void)[] = []
  const world = await hostedWorld({
    hold: (_command, send) => (held.length === 0 ? void held.push(send) : send()),
  })
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await expect.poll(() => held.length).toBe(1)
  // Given a run that has passed and is not told yet, when somebody pushes, and the server receives the
  // verdict and the push in either order, then nothing lands that was not tested.
  await world.repository.commit(mainRef, { 'other.txt': 'other\n' })
  held[0]?.()
  await world.untilState('MERGED', 1)
  expect(world.moves(1).filter((move) => move.startsWith('FAILED'))).toEqual([])
  expect(world.queue().last.testRun).toBe(2)
  expect(await world.repository.landed()).toEqual(['', '1'])
})

test('another merge method is for what is tested from then on: what has passed lands as it was tested', async () => {
  const held: (() => void)[] = []
  const world = await hostedWorld({
    set: { mergeMethod: 'squash' },
    hold: (_command, send) => (held.length === 0 ? void held.push(send) : send()),
  })
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await expect.poll(() => held.length).toBe(1)
  world.send({ type: 'updateQueue', set: { mergeMethod: 'merge_commit' } })
  held[0]?.()
  await world.untilState('MERGED', 1)
  const tested = world.history().testRuns.get(1)?.commit
  expect([tested?.length, tested]).toEqual([40, await world.repository.oidOf('main')])
})

test('after another merge method, what merges optimistically lands as it was tested', async () => {
  // Given 1, which passes its tests only with 2 on top, and the verdict of both, which is not told yet,
  const held: (() => void)[] = []
  const world = await hostedWorld({
    set: { ...optimistic, mergeMethod: 'squash', state: 'PAUSED' },
    tests: { kind: 'command', run: 'test -e more.txt', ...onlyCommand, bubblewrap: false },
    hold: (command, send) => {
      if (command.type === 'finishTestRun' && command.outcome === 'passed') held.push(send)
      else send()
    },
  })
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  await world.repository.commit(requestRef('more'), { 'more.txt': 'more\n' })
  await world.untilState('NOT_READY', 2)
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('PENDING_FAILURE', 1)
  await expect.poll(() => held.length).toBe(1)
  // when the method is changed, then the commits that were tested land.
  world.send({ type: 'updateQueue', set: { mergeMethod: 'merge_commit' } })
  held[0]?.()
  await world.untilState('MERGED', 1)
  await world.untilState('MERGED', 2)
  const commits = [...world.history().testRuns.values()].map(({ commit }) => commit)
  expect(commits).toHaveLength(2)
  expect([await world.repository.oidOf('main~1'), await world.repository.oidOf('main')]).toEqual(
    commits,
  )
})

test('a push that overtakes the push of a merge fails nobody', matrix, async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  const { repository } = world
  const other = await repository.commit('refs/heads/other', { 'other.txt': 'other\n' })
  // Git has checked the lease when the hook runs: the first push of a merge finds the branch moved.
  repository.hook(
    'pre-receive',
    `[ -e moved ] || { touch moved; env -u GIT_QUARANTINE_PATH git update-ref ${mainRef} ${other}; }`,
  )
  await repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1)
  expect(world.moves(1).filter((move) => move.startsWith('FAILED'))).toEqual([])
  expect(world.moves(1).join()).toContain('PENDING MANUAL_PUSH_TO_TARGET_BRANCH')
  expect(await repository.landed()).toEqual(['', '1'])
})

test('a merge by hand of other files restarts the tests of those behind', matrix, async () => {
  // The tests of 2 end only when the verdict of its first run was held back.
  const held: (() => void)[] = []
  const world = await hostedWorld({
    set: { concurrency: 2 },
    hold: (command, send) =>
      command.type === 'finishTestRun' && command.testRun <= 2 ? void held.push(send) : send(),
  })
  const head = await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('TESTING', 1)
  await world.repository.commit(requestRef('more'), { 'more.txt': 'more\n' })
  await expect.poll(() => held.length).toBe(2)
  await world.repository.mergeByHand(head, { 'other.txt': 'other\n' })
  await world.untilState('MERGED', 2)
  expect(world.reasonOf(1)).toBe('MANUAL_MERGE')
  expect(world.moves(2).join()).toContain('PENDING MANUAL_PUSH_TO_TARGET_BRANCH')
  expect(await world.repository.files()).toEqual(
    expect.arrayContaining(['pay.txt', 'other.txt', 'more.txt']),
  )
})

//
test('given another repository of the same name, a start refuses it, and nobody who waits leaves', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  await world.stop()
  world.repository.hide()
  const other = new TestRepository(world.repository.path)
  await other.make({ 'other.txt': 'of somebody else\n' })
  await expect(world.start()).rejects.toThrow(
    /has a queue of another repository .*\(#1\): name that/,
  )
  rmSync(other.path, { recursive: true })
  world.repository.show()
  // Somebody has set the branch to a root of its own meanwhile: the branches of those who wait show whose it is.
  await world.repository.commit(mainRef, { 'anew.txt': 'anew\n' }, null)
  await world.start()
  await expect.poll(() => world.host().status().faults.join()).toContain('resume the queue')
  expect(world.states()[1]).toBe('NOT_READY')
})

test('a branch that is known is found while the repository does not answer', async () => {
  const world = await hostedWorld()
  world.repository.hook('pre-receive', 'touch pushed; until [ -e answer ]; do sleep 0.05; done')
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await expect.poll(() => existsSync(join(world.repository.path, 'pushed'))).toBe(true)

  expect(await world.host().open('queue/pay')).toEqual({ value: { number: 1 } })
  expect(world.states()[1]).toBe('TESTS_PASSED')

  writeFileSync(join(world.repository.path, 'answer'), '')
  await world.untilState('MERGED', 1)
})

//
test('a start that does not name the repository pauses the queue, so nobody fails; the next one that does goes on', async () => {
  const world = await hostedWorld({ files: { 'test.sh': 'exec sleep 600\n' } })
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('TESTING', 1)
  await world.stop()
  await world.start([])
  expect([world.queue().state, world.states()[1], world.runs()]).toEqual(['PAUSED', 'PENDING', []])
  expect(world.why(1)).toContain('name it again')
  expect(world.log.join()).toContain('people wait in a queue on which nobody works')
  await world.stop()
  await world.start()
  await world.untilState('TESTING', 1)
  expect(world.queue().state).toBe('RUNNING')
})

/** Pull request 1 has passed, and the branch takes no push of the queue. */
async function deniedWorld(): Promise<HostedWorld> {
  const world = await hostedWorld()
  world.repository.hook('pre-receive', 'echo "You are not allowed to push" >&2; exit 1')
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.until(() => world.queue().state === 'PAUSED')
  return world
}

//
test('given a merge that is denied, who waits for it can leave after a start that does not name it', async () => {
  const world = await deniedWorld()
  await world.stop()
  await world.start([])
  world.send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  expect(world.states()[1]).toBe('CANCELLED')
})

test('a branch that was set back pauses the queue, with words', async () => {
  const world = await hostedWorld()
  const begin = await world.repository.oidOf('main')
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 1)
  await world.repository.set(mainRef, begin)
  await world.until(() => world.queue().state === 'PAUSED')
  expect(world.host().status().faults.join()).toMatch(/^main was set from .* resume the queue$/)
  await world.repository.commit(requestRef('more'), { 'more.txt': 'more\n' })
  await world.untilState('NOT_READY', 2)
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 2)
  expect(await world.repository.landed()).toEqual(['2'])
  expect(world.host().status().faults).toEqual([])
})

//
test('a hook that refuses one pull request of a batch: it leaves with the words, the others merge', async () => {
  const set = { state: 'PAUSED', batch: true, batchingMinSize: 3, concurrency: 1 } as const
  const world = await hostedWorld({ set })
  const { repository } = world
  repository.hook(
    'pre-receive',
    `while read old new ref; do
      case "$(git ls-tree -r --name-only $new 2>&1)" in *odd.txt*) echo "not on a Friday" >&2; exit 1;; esac
    done`,
  )
  for (const name of ['pay', 'odd', 'more']) {
    await repository.commit(requestRef(name), { [`${name}.txt`]: 'new\n' })
    await world.poll()
  }
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('FAILED', 2)
  await world.untilState('MERGED', 1, 3)
  expect(await repository.landed()).toEqual(['1', '3'])
  expect(world.reasonOf(2)).toBe('GITHUB_API_MERGE_PR_FAILED')
  expect(world.history().pullRequests.get(2)?.refusedFor).toContain('not on a Friday')
  expect(world.queue().state).toBe('RUNNING')
  expect(world.host().status().faults).toEqual([])
})

//
test('a branch that takes nobody’s push pauses the queue with the words; it goes on by itself', async () => {
  const world = await hostedWorld()
  const { repository } = world
  repository.hook('pre-receive', 'echo "ask Grace first" >&2; exit 1')
  await repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('FAILED', 1)
  // Given the words do not say whose fault it is, then it is the branch's when the next one is refused too.
  await repository.commit(requestRef('more'), { 'more.txt': 'more\n' })
  await world.until(() => world.queue().state === 'PAUSED')
  const words = /ask Grace first; 1 was refused before it: submit it again/
  expect(world.host().status().faults.join()).toMatch(words)
  expect(world.why(2)).toMatch(
    /^Its tests passed; it merges as soon as the branch takes it\. Paused: .*ask Grace first/,
  )
  await world.stop()
  await world.start()
  expect(world.host().status().faults.join()).toMatch(words)
  repository.removeHook('pre-receive')
  await world.untilState('MERGED', 2)
  await world.until(() => world.queue().state === 'RUNNING')
  expect(world.moves(2).filter((move) => move.startsWith('PENDING'))).toEqual([])
  expect(world.host().status().faults).toEqual([])
})

//
test('a branch that is set back while it takes no push: the queue does not go on by itself', async () => {
  const world = await hostedWorld()
  const { repository } = world
  const begin = await repository.oidOf('main')
  await repository.commit(mainRef, { 'other.txt': 'other\n' })
  await world.poll()
  repository.hook('pre-receive', 'echo "ask Grace first" >&2; exit 1')
  for (const name of ['pay', 'more']) {
    await repository.commit(requestRef(name), { [name]: name })
    await world.poll()
  }
  await world.until(() => world.queue().state === 'PAUSED')
  await repository.set(mainRef, begin)
  await expect.poll(() => world.host().status().faults.join()).toContain('resume the queue')
  repository.removeHook('pre-receive')
  await world.poll()
  await world.poll()
  expect(world.queue().state).toBe('PAUSED')
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 2)
  expect(world.host().status().faults).toEqual([])
})

//
test('a queue that has paused itself, and that somebody pauses too, does not go on by itself', async () => {
  const world = await deniedWorld()
  world.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  world.repository.removeHook('pre-receive')
  await world.untilState('MERGED', 1)
  await world.repository.commit(requestRef('next'), { 'next.txt': 'next\n' })
  await world.poll()
  await world.poll()
  expect(world.queue().state).toBe('PAUSED')
  expect(world.states()[2]).toBe('NOT_READY')
})

//
test('of a batch that the branch does not take, one leaves before the queue knows whose fault it is', async () => {
  const set = { state: 'PAUSED', batch: true, batchingMinSize: 3, concurrency: 1 } as const
  const world = await hostedWorld({ set })
  world.repository.hook('pre-receive', 'echo "ask Grace first" >&2; exit 1')
  for (const name of ['pay', 'more', 'last']) {
    await world.repository.commit(requestRef(name), { [`${name}.txt`]: 'new\n' })
    await world.poll()
  }
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('FAILED', 1)
  await world.until(() => world.queue().state === 'PAUSED')
  expect(world.host().status().faults.join()).toContain('1 was refused before it: submit it again')
  world.repository.removeHook('pre-receive')
  await world.untilState('MERGED', 2, 3)
})

test('who wants to leave does not wait for a merge that is denied', matrix, async () => {
  const world = await deniedWorld()
  world.send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  await world.untilState('CANCELLED', 1)
  await world.until(() => world.queue().state === 'RUNNING')
  expect(world.moves(1).join()).not.toContain('FAILED')
})

test('a repository that cannot be reached for a while stops nothing forever', async () => {
  const world = await hostedWorld()
  await world.repository.commit(requestRef('known'), { 'broken/known': 'yes\n' })
  await world.untilState('FAILED', 1)
  world.repository.hide()
  await expect.poll(() => world.host().status().faults.join()).toContain('git ls-remote failed')
  const submitted = await world.host().snapshotOf(1)
  expect(submitted).toMatchObject({ refused: { status: 503 } })
  // A branch that the queue knows can be asked about, and leave it.
  expect(await world.host().open('queue/known')).toEqual({ value: { number: 1 } })
  expect(await world.host().open('queue/pay')).toMatchObject({ refused: { status: 503 } })
  world.repository.show()
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('MERGED', 2)
  expect(world.host().status().faults).toEqual([])
})

//
test('a batch goes on without the one whose change came on the branch before its run', async () => {
  const set = { batch: true, batchingMinSize: 2, state: 'PAUSED' } as const
  const world = await hostedWorld({ set })
  await world.repository.commit(requestRef('pay'), { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  await world.repository.commit(requestRef('more'), { 'more.txt': 'more\n' })
  await world.untilState('NOT_READY', 2)
  await world.repository.commit(mainRef, { 'pay.txt': 'twice\n' })
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1, 2)
  expect(world.reasonOf(1)).toBe('MANUAL_MERGE')
  expect(await world.repository.landed()).toEqual(['', '2'])
})

//
test('given a main that fails by itself, nobody leaves, the status says who pushed it, and a push that mends it goes on', async () => {
  const world = await hostedWorld({ tests: { kind: 'external' }, set: { tipTestMode: 'always' } })
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.untilState('TESTING', 1)
  const failedTests = [{ name: 'builds' }]
  world.send({ type: 'finishTestRun', testRun: 1, outcome: 'failed', failedTests })

  const placed = () =>
    world.repository.refs().filter((ref) => ref.startsWith(`refs/heads/${testBranchPrefix}0/`))
  await expect.poll(placed).toHaveLength(1)
  const [branch = ''] = placed()
  const main = await world.repository.oidOf('main')
  expect(await world.repository.oidOf(`${branch}^`)).toBe(main)
  world.send({ type: 'finishTestRun', testRun: 2, outcome: 'failed', failedTests })
  await expect
    .poll(() => world.host().status().faults)
    .toEqual([
      expect.stringMatching(
        `main fails by itself since ${main.slice(0, 12)} by .+: builds; nothing has passed in this queue yet, .*; nobody leaves for it`,
      ),
    ])
  await world.untilState('PENDING_FAILURE', 1)

  await world.repository.commit('refs/heads/main', { 'mended.txt': 'yes\n' })
  await expect.poll(() => world.host().commitOf(3)).not.toBeNull()
  world.send({ type: 'finishTestRun', testRun: 3, outcome: 'passed' })
  await expect.poll(() => world.host().commitOf(4)).not.toBeNull()
  world.send({ type: 'finishTestRun', testRun: 4, outcome: 'passed' })
  await world.untilState('MERGED', 1)
  expect(world.host().status().faults).toEqual([])
})

//
test('who waits because the branch fails by itself reads so once', async () => {
  const world = await hostedWorld({ tests: { kind: 'external' }, set: { policy: 'adaptive' } })
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  for (const testRun of [1, 2, 3]) {
    await expect.poll(() => world.queue().testRuns[testRun]).toBeDefined()
    world.send({ type: 'finishTestRun', testRun, outcome: 'failed' })
  }
  await world.untilState('PENDING', 1)
  expect(world.reasonOf(1)).toBe('TARGET_BRANCH_FAILED')
  expect(world.why(1)).toBe('The target branch fails by itself; the queue goes on when it passes.')
})
