/** Pull requests whose base is the branch of another one, as stories that hold on every host. */

import { expect, test } from 'vitest'
import type { FakeDialect } from './dialect.ts'
import { playing } from './code-host-contract.ts'
import type { CodeHostWorld } from './code-host-world.ts'

const other = { 'pay.txt': 'never\n' }

/** Lands three that change one line, each built on the one before. Returns how many commits the branch then has. */
async function landStack(world: CodeHostWorld): Promise<string> {
  world.queue.send({ type: 'updateQueue', set: { state: 'PAUSED' } })
  await world.ask(6)
  await world.ask(7, other, { base: 'change-6' })
  await world.ask(8, { 'pay.txt': 'once\n' }, { base: 'change-7' })
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
  return world.repository.git(['rev-list', '--count', 'main'])
}

export function stacksOfBases(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
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
  test('a stack in one batch lands by squash', on.GitLab, async () => {
    const batch = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 1 }
    const world = await worldOf({ isAutomatic: true, set: { mergeMethod: 'squash', ...batch } })
    expect(await landStack(world)).toBe('4')
    expect(world.fake.state.workflowRuns).toHaveLength(1)
  })

  //
  test.skipIf(kind.host === 'Gitea')(
    'where the branch takes no push, the button merges a stack',
    on.GitHub,
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
    await world.ask(6)
    await world.ask(7, other, { base: 'change-6', isDraft: false })
    await world.ask(8, other, { base: 'change-6' })
    await world.queue.untilState('TESTING', 6, 7, 8)
    world.change(8, { labels: [] })
    await world.queue.untilState('CANCELLED', 8)
    const runsOf6 = () => world.ci.going.filter(({ branch }) => branch.includes('pr-6'))
    await expect.poll(runsOf6).toHaveLength(1)
    for (const run of runsOf6()) world.ci.finish(run, 'success')
    await world.queue.untilState('MERGED', 6)
    await expect
      .poll(() => [7, 8].map((number) => world.pull(number).base))
      .toEqual(['main', 'main'])
  })
  ofForks(kind)
  namesOthers(kind)
}

function ofForks(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  //
  test.skipIf(kind.host === 'Gitea')(
    'one of a fork that conflicts below lands when rebased',
    on.GitHub,
    async () => {
      const world = await worldOf({ isAutomatic: true, set: { mergeMethod: 'squash' } })
      await world.ask(6)
      await world.ask(7, other, { base: 'change-6', isFork: true })
      await world.queue.untilState('MERGED', 6)
      await world.queue.untilState('FAILED', 7)
      await expect.poll(() => world.said(7).join()).toContain('rebase it onto main, push, and ask')
      expect(world.queue.queue().state).toBe('RUNNING')
      const head = await world.repository.commit(world.fake.dialect.pullRef(7), other)
      world.change(7, { head })
      await world.seen()
      world.label(7)
      await world.queue.untilState('MERGED', 7)
      expect(await world.repository.text('pay.txt')).toBe('never')
    },
  )
}

function namesOthers(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  //
  test('one on top of what cannot merge is refused, of what has merged not', on.Gitea, async () => {
    const world = await worldOf()
    await world.repository.set('refs/heads/dev', await world.repository.oidOf('main'))
    await world.open(3, { '3.txt': '3\n' })
    world.change(3, { state: 'closed' })
    await world.open(4, { '4.txt': '4\n' }, { base: 'dev' })
    for (const [number, names, words] of [
      [7, '#99', 'it depends on 99, which does not exist'],
      [8, '#3', 'it depends on 3, which is closed'],
      [9, '#4', 'it depends on 4, which asks to merge into dev, not into main'],
    ] as const) {
      const files = { [`${number}.txt`]: 'x\n' }
      await world.ask(number, files, { body: `Depends-On: ${names}` })
      await expect.poll(() => world.said(number).join()).toContain(words)
    }
    expect(world.queue.states()).toEqual({})
    const mergedAt = new Date(0).toISOString()
    world.change(3, { mergedAt, mergeCommit: await world.repository.oidOf('main') })
    world.label(8)
    await world.queue.untilState('TESTING', 8)
    expect(world.queue.queue().pullRequests[8]?.dependsOn).toBeUndefined()
  })

  test('one that waits for what somebody merges by hand goes on', on.Gitea, async () => {
    const world = await worldOf()
    const { head } = await world.open(6)
    await world.open(7, other, { base: 'change-6' })
    await world.seen()
    world.comment(7, 'ada', '/enqueue high')
    await world.queue.untilState('NOT_READY', 7)
    await world.repository.mergeByHand(head)
    const mergeCommit = await world.repository.oidOf('main')
    world.change(6, { state: 'closed', mergedAt: new Date(0).toISOString(), mergeCommit })
    world.change(7, { base: 'main' })
    await world.queue.untilState('TESTING', 7)
    expect(world.queue.queue().pullRequests[7]).toMatchObject({ priority: 10 })
  })
}
