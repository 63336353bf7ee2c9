/** Text conflicts: with the tip, and with another pull request of the queue. */

import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostedWorld } from './testing/hosted-world.ts'

const wish = (name: string): string => `refs/heads/queue/${name}`

test('a pull request that conflicts with the branch waits until somebody pushes to it', async () => {
  const world = await hostedWorld()
  const { repository } = world
  const begin = await repository.oidOf('main')
  await repository.commit('refs/heads/main', { 'line.txt': 'new\n' })
  await repository.commit(wish('pay'), { 'line.txt': 'mine\n' }, begin)
  await world.untilState('NOT_READY', 1)
  await repository.commit(wish('pay'), { 'line.txt': 'mine\n' })
  await world.untilState('MERGED', 1)
  expect(await repository.text('line.txt')).toBe('mine')
})

test('one is ready again when the branch no longer conflicts with it', matrix, async () => {
  const world = await hostedWorld()
  const { repository } = world
  const begin = await repository.oidOf('main')
  await repository.commit('refs/heads/main', { 'line.txt': 'new\n' })
  await repository.commit(wish('pay'), { 'line.txt': 'mine\n' }, begin)
  await world.untilState('NOT_READY', 1)
  await repository.commit('refs/heads/main', { 'line.txt': 'old\n' })
  await world.untilState('MERGED', 1)
  expect(await repository.text('line.txt')).toBe('mine')
})

test('of two that change the same line the second fails when the first has merged', async () => {
  const world = await hostedWorld({ set: { state: 'PAUSED' } })
  const { repository } = world
  await repository.commit('refs/pull/1/head', { 'line.txt': 'one\n' })
  await repository.commit('refs/pull/2/head', { 'line.txt': 'two\n' })
  await repository.commit('refs/pull/3/head', { 'other.txt': 'three\n' })
  for (const number of [1, 2, 3]) await world.submit(number)
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.untilState('MERGED', 1, 3)
  await world.untilState('FAILED', 2)
  expect(world.reasonOf(2)).toBe('START_TEST_RUN_MERGE_CONFLICT')
  expect(world.history().pullRequests.get(2)?.refusedFor).toBe('conflict in line.txt')
  expect(await repository.text('line.txt')).toBe('one')
})

//
test.each(['squash', 'rebase'] as const)(
  'what is built on a pull request that has merged with %s merges with its own commit only',
  async (mergeMethod) => {
    const world = await hostedWorld({ set: { mergeMethod } })
    const { repository } = world
    const base = await repository.commit('refs/pull/1/head', { 'line.txt': 'one\n' })
    await repository.commit('refs/pull/2/head', { 'line.txt': 'two\n' }, base)
    await world.submit(1)
    await world.untilState('MERGED', 1)
    const below = await repository.oidOf('main')
    await world.submit(2)
    await world.untilState('MERGED', 2)
    expect(await repository.text('line.txt')).toBe('two')
    expect(await repository.oidOf('main^')).toBe(below)
  },
)
