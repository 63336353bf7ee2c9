/** Somebody else tests: the commit is placed on the repository as a branch, and removed afterwards. */

import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { testBranchPrefix } from './testers.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'

function testBranches({ repository }: HostedWorld): string[] {
  return repository.refs().filter((ref) => ref.startsWith(testBranchPrefix))
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
  const foreign = `${testBranchPrefix}1/somebody-else`
  const commit = await world.repository.oidOf(branch)
  await world.repository.set(stray, commit)
  await world.repository.set(foreign, commit)
  await world.start()
  await expect.poll(() => testBranches(world)).toEqual([branch, foreign].sort())
  expect(await world.repository.oidOf(branch)).toBe(commit)
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
])(
  'a rule %s keeps one pull request out of test branches: it leaves with the words, the others merge',
  async (_, words) => {
    const set = { state: 'PAUSED', batch: true, batchingMinSize: 3, concurrency: 1 } as const
    const world = await hostedWorld({ tests: { kind: 'external' }, set })
    const { repository } = world
    const hasOdd = 'git ls-tree -r --name-only $new | grep -q odd.txt'
    repository.hook('pre-receive', refusing(hasOdd, words))
    for (const name of ['pay', 'odd', 'more']) {
      await repository.commit(`refs/heads/queue/${name}`, { [`${name}.txt`]: 'new\n' })
      await world.look()
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
  },
)

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
