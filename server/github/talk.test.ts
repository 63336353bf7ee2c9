/** Comments, labels, drafts, reviews: what people do on the host, and what the queue shows there. */

import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { forgeContract } from '../forge/testing/forge-contract.ts'
import { requestOrders } from '../forge/testing/request-orders.ts'
import { github, githubWorld } from './testing/fake-github.ts'
import { requestContract } from '../forge/testing/request-contract.ts'
import { trustContract } from '../forge/testing/trust-contract.ts'
import { runInProgress } from '../forge/testing/toy-ci.ts'

const change = { 'pay.txt': 'twice\n' }

//
forgeContract(github)

//
trustContract(github)

//
requestOrders(github)

//
requestContract(github)

test('authors may cancel their own, and an edited comment is no command', matrix, async () => {
  const world = await githubWorld()
  await world.open(7, change, { by: 'bob', labels: ['merge-queue'] })
  await world.queue.untilState('TESTING', 7)
  await world.seen()
  world.comment(7, 'ada', 'looks good')
  await world.seen()
  const comment = world.fake.state.comments.find(({ user }) => user === 'ada')
  Object.assign(comment ?? {}, { body: '/cancel', updatedAt: world.fake.state.now() })
  await world.seen()
  expect(world.queue.states()).toEqual({ 7: 'TESTING' })
  world.comment(7, 'bob', '/cancel')
  await world.queue.untilState('CANCELLED', 7)
  await expect.poll(() => world.pull(7).labels).toEqual([])
})

test('one that somebody merged on the page is merged', matrix, async () => {
  const world = await githubWorld()
  await world.open(7, change, { labels: ['merge-queue'] })
  await world.queue.untilState('TESTING', 7)
  const tree = await world.repository.git([
    'merge-tree',
    '--write-tree',
    'main',
    world.pull(7).head,
  ])
  const parent = await world.repository.oidOf('main')
  const who = '-c user.name=Ada -c user.email=ada@example.com'.split(' ')
  const args = ['commit-tree', tree, '-p', parent, '-m', 'By hand']
  const commit = await world.repository.git([...who, ...args])
  await world.repository.set('refs/heads/main', commit)
  world.change(7, { state: 'closed', mergedAt: '2026-01-05T09:00:00Z', mergeCommit: commit })
  await world.queue.untilState('MERGED', 7)
  expect(world.queue.reasonOf(7)).toBe('MANUAL_MERGE')
})

test('a test branch gets a draft, which never enters and closes with it', matrix, async () => {
  const world = await githubWorld({ set: { createPrsForTestingBranches: true } })
  await world.open(7, change, { labels: ['merge-queue'] })
  await expect.poll(() => world.fake.state.pulls.get(8)?.isDraft).toBe(true)
  const run = await runInProgress(world.ci)
  world.ci.finish(run, 'success')
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.pull(8).state).toBe('closed')
  expect(world.queue.states()).toEqual({ 7: 'MERGED' })
})
