/** Somebody else tests: the commit is placed on the repository as a branch, and removed afterwards. */

import { expect, test } from 'vitest'
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

test('the branch of a run that is cancelled is removed', { tags: ['matrix'] }, async () => {
  const { world } = await placed()
  world.send({ type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  await expect.poll(() => testBranches(world)).toEqual([])
})

test(
  'a branch that was left by a run is removed after a restart, that of a run in progress stays',
  { tags: ['matrix'] },
  async () => {
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
  },
)
