/** Two queues on one repository share its mirror, and nothing else. */

import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { hostedWorld } from './testing/hosted-world.ts'

async function twoQueues() {
  const world = await hostedWorld({ branches: ['main'] })
  await world.stop()
  await world.repository.set('refs/heads/release', await world.repository.oidOf('main'))
  return world
}

test('two queues merge into two branches of one repository', async () => {
  const world = await twoQueues()
  await world.start(['main', 'release'])
  await world.repository.commit('refs/pull/1/head', { 'one.txt': 'one\n' })
  await world.repository.commit('refs/pull/2/head', { 'two.txt': 'two\n' })
  await world.submit(1, 'main')
  await world.submit(2, 'release')
  await world.until(() => world.states('main')[1] === 'MERGED')
  await world.until(() => world.states('release')[2] === 'MERGED')
  expect(await world.repository.landed('main')).toEqual(['1'])
  expect(await world.repository.landed('release')).toEqual(['2'])
})

test('a branch below queue/ enters the queue that it names, or the first', matrix, async () => {
  const world = await twoQueues()
  await world.start(['main', 'release'])
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.repository.commit('refs/heads/queue/release/fix', { 'fix.txt': 'fix\n' })
  await world.until(() => world.states('main')[1] === 'MERGED')
  await world.until(() => world.states('release')[1] === 'MERGED')
  await world.look('main')
  await world.look('release')
  expect(await world.repository.files('main')).toEqual(['line.txt', 'pay.txt', 'test.sh'])
  expect(await world.repository.files('release')).toEqual(['fix.txt', 'line.txt', 'test.sh'])
  expect([world.states('main'), world.states('release')]).toEqual([
    { 1: 'MERGED' },
    { 1: 'MERGED' },
  ])
})

//
test('a fast-forward of one branch merges nobody of the same number', matrix, async () => {
  const world = await twoQueues()
  await world.start(['main', 'release'])
  world.send({ type: 'updateQueue', set: { state: 'PAUSED' } }, 'main')
  await world.repository.commit('refs/heads/queue/pay', { 'pay.txt': 'twice\n' })
  await world.untilState('NOT_READY', 1)
  await world.repository.commit('refs/heads/queue/release/fix', { 'fix.txt': 'fix\n' })
  await world.until(() => world.states('release')[1] === 'MERGED')
  await world.repository.set('refs/heads/main', await world.repository.oidOf('release'))
  await world.look('main')
  expect(world.states('main')).toEqual({ 1: 'NOT_READY' })
  world.send({ type: 'updateQueue', set: { state: 'RUNNING' } }, 'main')
  await world.untilState('MERGED', 1)
  expect(await world.repository.files('main')).toContain('pay.txt')
})
