/** What counts as merged: that the change is on the branch. A trailer, a number or a head is only a claim. */

import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostedWorld, type HostedWorld } from './testing/hosted-world.ts'

const main = 'refs/heads/main'
const requestRef = 'refs/heads/queue/pay'
const pay = { 'pay.txt': 'twice\n' }

/** A world with two pull requests in a paused queue. */
async function waiting(): Promise<HostedWorld> {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  await world.repository.commit(requestRef, pay)
  await world.untilState('NOT_READY', 1)
  await world.repository.commit('refs/heads/queue/ship', { 'ship.txt': 'once\n' })
  await world.untilState('NOT_READY', 2)
  return world
}

//
test('a branch without commits of its own is refused in words, and nobody is tested again', async () => {
  const world = await hostedWorld({ hold: () => undefined })
  await world.repository.commit(requestRef, pay)
  await world.untilState('TESTING', 1)
  const tip = await world.repository.oidOf('main')
  await world.repository.set('refs/pull/7/head', tip)
  await world.repository.set('refs/heads/queue/empty', tip)
  await expect(world.submit(7)).rejects.toThrow('pull request 7 changes nothing on main')
  await world.poll()
  expect(world.states()).toEqual({ 1: 'TESTING' })
  expect(world.queue().last.testRun).toBe(1)
})

//
test('of two with the same change in a batch each lands as its own commit, as they were tested', async () => {
  const set = { state: 'PAUSED', batch: true, batchingMinSize: 2 } as const
  const world = await hostedWorld({ set })
  const { repository } = world
  for (const [index, name] of ['pay', 'again'].entries()) {
    await repository.commit(`refs/heads/queue/${name}`, pay)
    await world.untilState('NOT_READY', index + 1)
  }
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1, 2)
  expect(await repository.landed()).toEqual(['1', '2'])
})

//
test('a sync that brings a commit of elsewhere with our trailer merges nobody of that number', async () => {
  const world = await waiting()
  const { repository } = world
  // Upstream has a queue of its own, whose pull request 1 is something else.
  const landed = 'Upstream\n\nMergeyard-Pull: 1'
  const begin = await repository.oidOf('main')
  const upstream = await repository.commit('refs/heads/upstream', { 'up.txt': 'up\n' })
  const theirs = await repository.commitTree(main, upstream, [begin], landed)
  await world.poll()
  const after = await repository.commit('refs/heads/upstream', { 'more.txt': 'more\n' }, theirs)
  await repository.commitTree(
    main,
    after,
    [theirs, after],
    'Sync with upstream\n\nMergeyard-Pull: 2',
  )
  await world.poll()
  expect(world.states()).toEqual({ 1: 'NOT_READY', 2: 'NOT_READY' })
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1, 2)
  expect(await repository.files()).toEqual(
    expect.arrayContaining(['pay.txt', 'ship.txt', 'up.txt', 'more.txt']),
  )
})

//
test('a cherry-pick of a change is its merge, also under another number', matrix, async () => {
  const world = await waiting()
  const { repository } = world
  const begin = await repository.oidOf('main')
  const picked = await repository.commitTree(main, requestRef, [begin], 'Pay\n\nMergeyard-Pull: 2')
  await world.poll()
  expect(world.states()).toEqual({ 1: 'NOT_READY', 2: 'NOT_READY' })
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1, 2)
  expect([world.reasonOf(1), world.reasonOf(2)]).toEqual(['MANUAL_MERGE', 'MERGE_GRAPH_MERGE'])
  expect(await repository.landed()).toEqual(['2', '2'])
  expect(await repository.oidOf('main~1')).toBe(picked)
})

//
test.each(['squash', 'rebase'] as const)(
  'a branch that was reverted merges again by %s',
  matrix,
  async (mergeMethod) => {
    const world = await hostedWorld({ set: { mergeMethod } })
    const { repository } = world
    const begin = await repository.oidOf('main')
    const head = await repository.commit(requestRef, pay)
    await world.untilState('MERGED', 1)
    await repository.commitTree(main, begin, [await repository.oidOf('main')], 'Revert "Pay"')
    await world.poll()
    await repository.set(requestRef, head)
    await world.until(() => world.moves(1).filter((move) => move.startsWith('MERGED')).length === 2)
    expect(await repository.files()).toContain('pay.txt')
    expect(await repository.landed()).toEqual(['1', '', '1'])
  },
)

test('with merge_commit a branch that was reverted is refused in words', matrix, async () => {
  const world = await hostedWorld({ set: { mergeMethod: 'merge_commit' } })
  const { repository } = world
  const begin = await repository.oidOf('main')
  const head = await repository.commit('refs/pull/7/head', pay)
  await world.submit(7)
  await world.untilState('MERGED', 7)
  await repository.commitTree(main, begin, [await repository.oidOf('main')], 'Revert')
  expect(await repository.oidOf('refs/pull/7/head')).toBe(head)
  await expect(world.submit(7)).rejects.toThrow('if that was reverted, revert the revert')
})

//
test.each(['squash', 'rebase'] as const)(
  'of a stack whose top has merged with %s first, the base is on the branch, and merges without a commit',
  async (mergeMethod) => {
    const world = await hostedWorld({ set: { state: 'PAUSED', mergeMethod } })
    const { repository } = world
    await repository.commit('refs/pull/1/head', pay)
    await repository.commit('refs/pull/2/head', { 'pay.txt': 'thrice\n' }, 'refs/pull/1/head')
    for (const number of [2, 1]) await world.submit(number)
    world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
    await world.untilState('MERGED', 1, 2)
    expect((await repository.landed()).includes('1')).toBe(false)
    expect(await repository.text('pay.txt')).toBe('thrice')
  },
)

//
test('of two with one change the second is merged by the first, and nobody is tested again', async () => {
  const world = await hostedWorld({
    set: { state: 'PAUSED', batch: true, batchingMinSize: 3 },
  })
  const { repository } = world
  for (const [number, files] of Object.entries({ 1: pay, 2: { 'a.txt': 'a\n' }, 3: pay })) {
    await repository.commit(`refs/pull/${number}/head`, files)
    await world.submit(Number(number))
  }
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1, 2, 3)
  expect(world.moves(2).join()).not.toContain('MANUAL_PUSH_TO_TARGET_BRANCH')
  expect(world.queue().last.testRun).toBe(1)
})
