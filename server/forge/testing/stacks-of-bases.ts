/** Pull requests whose base is the branch of another one, as stories that hold on every host. */

import { expect, test } from 'vitest'
import { playedOn, type Host } from './forge-contract.ts'
import type { ForgeWorld, ForgeWorldOptions } from './forge-world.ts'
import { runInProgress } from './toy-ci.ts'

const label = 'merge-queue'
const change = { 'pay.txt': 'twice\n' }
const other = { 'pay.txt': 'never\n' }

/** Lands three that change one line, each built on the one before. Returns how many commits the branch then has. */
async function landStack(world: ForgeWorld): Promise<string> {
  world.queue.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  await world.open(6, change, { labels: [label] })
  await world.open(7, other, { base: 'change-6', labels: [label] })
  await world.open(8, { 'pay.txt': 'once\n' }, { base: 'change-7', labels: [label] })
  await world.queue.untilState('NOT_READY', 6, 7, 8)
  const { pullRequests } = world.queue.queue()
  expect([7, 8].map((number) => pullRequests[number]?.dependsOn)).toEqual([[6], [7]])
  world.queue.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.queue.untilState('MERGED', 6, 7, 8)
  await expect.poll(() => world.pull(8).mergeCommit).not.toBeNull()
  expect([6, 7, 8].map((number) => world.pull(number).base)).toEqual(['main', 'main', 'main'])
  expect([6, 7, 8].map((number) => world.pull(number).state)).toEqual(Array(3).fill('closed'))
  expect(await world.repository.landed()).toEqual(['6', '7', '8'])
  expect(await world.repository.text('pay.txt')).toBe('once')
  expect(world.fake.faults).toEqual([])
  return world.repository.git(['rev-list', '--count', 'main'])
}

type Kind = {
  readonly host: Host
  readonly worldOf: (options?: ForgeWorldOptions) => Promise<ForgeWorld>
}

export function stacksOfBases({ host, worldOf }: Kind): void {
  //
  const methods = ['merge_commit', 'squash', 'rebase'] as const
  for (const mergeMethod of methods) {
    test(
      `a stack of bases lands from below by ${mergeMethod}, each commit once, and each gets its base`,
      { tags: mergeMethod === 'squash' ? [] : ['matrix'] },
      async () => {
        const world = await worldOf({ isAutomatic: true, set: { mergeMethod } })
        expect(await landStack(world)).toBe(mergeMethod === 'merge_commit' ? '7' : '4')
      },
    )
  }

  //
  test.skipIf(host === 'Gitea')(
    'where the branch takes no push, the button merges what was tested of a stack',
    playedOn('GitHub', host),
    async () => {
      const world = await worldOf({ isAutomatic: true, set: { mergeMethod: 'squash' } })
      const isMain = '[ "$ref" = refs/heads/main ] && exit 1'
      world.repository.hook('pre-receive', `while read a b ref; do ${isMain}; done\nexit 0`)
      expect(await landStack(world)).toBe('4')
    },
  )

  //
  test('one that stays gets the target branch as its base when the one below has merged', async () => {
    const world = await worldOf()
    await world.open(6, change, { labels: [label] })
    await world.open(7, other, { base: 'change-6', labels: [label], isDraft: false })
    await world.queue.untilState('TESTING', 6)
    world.ci.finish(await runInProgress(world.ci), 'success')
    await world.queue.untilState('MERGED', 6)
    await expect.poll(() => world.pull(7).base).toBe('main')
    expect(world.fake.faults).toEqual([])
  })
}
