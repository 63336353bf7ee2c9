/** Comments, labels, drafts, reviews: what people do on the host, and what the queue shows there. */

import { expect, test } from 'vitest'
import type { ForgeWorld } from '../forge/testing/forge-world.ts'
import { githubOrders, githubWorld } from './testing/github-world.ts'
import { protect } from '../forge/testing/protected.ts'
import { requestContract } from '../forge/testing/request-contract.ts'
import { trustContract } from '../forge/testing/trust-contract.ts'
import { runInProgress } from '../forge/testing/toy-ci.ts'

const change = { 'pay.txt': 'twice\n' }

async function reactions(world: ForgeWorld, count: number): Promise<string[]> {
  const all = () => world.fake.state.comments.flatMap((comment) => comment.reactions)
  await expect.poll(all).toHaveLength(count)
  return all()
}

//
trustContract({ host: 'GitHub', worldOf: githubWorld })

//
githubOrders()

//
requestContract({
  host: 'GitHub',
  worldOf: githubWorld,
  deeds: 'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline',
  one: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
})

//
test(
  'a comment of somebody who may write submits; others get a thumb down',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld({ isAutomatic: true })
    await world.open(7, change)
    // What was said before the server began to listen is over.
    await world.seen()
    world.comment(7, 'eve', '/merge')
    expect(await reactions(world, 1)).toEqual(['-1'])
    expect(world.queue.states()).toEqual({})
    world.comment(7, 'ada', '/merge high')
    await world.queue.untilState('MERGED', 7)
    expect(await reactions(world, 2)).toEqual(['-1', '+1'])
    expect(world.queue.queue().pullRequests[7]?.priority).toBe(10)
    expect(world.fake.faults).toEqual([])
  },
)

test(
  'authors may take their own pull request out, and an edited comment is no command',
  { tags: ['matrix'] },
  async () => {
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
  },
)

test(
  'a wish that is refused is answered below the pull request',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld()
    await world.open(7, change, { isDraft: true })
    await world.seen()
    world.comment(7, 'ada', '/merge')
    await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('is a draft')])
  },
)

test.each([
  ['PR_CLOSED', { state: 'closed' }],
  ['PR_CONVERTED_TO_DRAFT', { isDraft: true }],
  ['PR_BASE_BRANCH_CHANGED', { base: 'release' }],
] as const)('without any webhook, %s is seen', { tags: ['matrix'] }, async (reason, how) => {
  const world = await githubWorld()
  await world.repository.set('refs/heads/release', await world.repository.oidOf('main'))
  await world.open(7, change, { labels: ['merge-queue'] })
  await world.queue.untilState('TESTING', 7)
  world.change(7, how)
  await world.queue.untilState('CANCELLED', 7)
  expect(world.queue.reasonOf(7)).toBe(reason)
})

//
test('the label is cancelled by its removal', { tags: ['matrix'] }, async () => {
  const world = await githubWorld()
  await world.open(7, change, { labels: ['merge-queue'] })
  await world.queue.untilState('TESTING', 7)
  world.change(7, { labels: [] })
  await world.queue.untilState('CANCELLED', 7)
  expect(world.queue.reasonOf(7)).toBe('USER_REQUESTED')
})

//
test('one that lacks an approval waits, and is tested with it', { tags: ['matrix'] }, async () => {
  const world = await githubWorld({ isAutomatic: true })
  protect(world.fake.state, { from: 'protection', checks: ['ci'], approvals: 1 })
  await world.seen()
  const { head } = await world.open(7, change, { labels: ['merge-queue'] })
  await world.queue.untilState('NOT_READY', 7)
  await expect.poll(() => world.statusOf(head)).toContain('an approval is missing')
  const { reviews } = world.pull(7)
  world.change(7, { reviews: [...reviews, { user: 'ada', state: 'APPROVED', commit: head }] })
  await world.queue.untilState('MERGED', 7)
})

test(
  'one whose approval was withdrawn during its tests does not merge',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld()
    protect(world.fake.state, { from: 'ruleset', checks: ['ci'], approvals: 1 })
    await world.seen()
    const { reviews, head } = await world.open(7, change)
    const approved = { user: 'ada', state: 'APPROVED', commit: head }
    world.change(7, { reviews: [...reviews, approved], labels: ['merge-queue'] })
    await expect.poll(() => world.ci.going).toHaveLength(1)
    const objected = { user: 'ada', state: 'CHANGES_REQUESTED', commit: head }
    world.change(7, { reviews: [approved, objected] })
    for (const run of world.ci.going) world.ci.finish(run, 'success')
    await world.queue.untilState('FAILED', 7)
    expect(await world.repository.files()).not.toContain('pay.txt')
  },
)

test('one that somebody merged on the page is merged', { tags: ['matrix'] }, async () => {
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

//
test(
  'the status and the comment lead to the page of the pull request',
  { tags: ['matrix'] },
  async () => {
    const publicUrl = 'https://queue.example.com/'
    const world = await githubWorld({ isAutomatic: true, publicUrl })
    const { head } = await world.open(7, change, { labels: ['merge-queue'] })
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.statusOf(head)).toBe('success: has merged')
    const [queue] = world.queue.server.manager.registry.queues
    const page = `https://queue.example.com/q/${queue?.ids.start}/7`
    expect(world.fake.state.statuses.map(({ url }) => url)).toContain(page)
    await expect.poll(() => world.said(7)).toEqual([expect.stringContaining(`(${page})`)])
  },
)

//
test(
  'a pull request of a fork merges, and a push to it takes it out',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld()
    const options = { labels: ['merge-queue'], isFork: true }
    await world.open(7, change, options)
    await expect.poll(() => world.ci.going).toHaveLength(1)
    for (const run of world.ci.going) world.ci.finish(run, 'success')
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.pull(7).mergedAt).not.toBe(null)
    await world.open(20, { 'other.txt': 'new\n' }, options)
    await world.queue.untilState('TESTING', 20)
    const head = await world.repository.commit('refs/pull/20/head', { 'other.txt': 'newer\n' })
    world.change(20, { head })
    await world.queue.untilState('CANCELLED', 20)
    expect(world.queue.reasonOf(20)).toBe('PR_PUSHED_TO')
  },
)

test(
  'a test branch gets a draft, which is never taken for a wish and is closed with it',
  { tags: ['matrix'] },
  async () => {
    const world = await githubWorld({ set: { createPrsForTestingBranches: true } })
    await world.open(7, change, { labels: ['merge-queue'] })
    await expect.poll(() => world.fake.state.pulls.get(8)?.isDraft).toBe(true)
    const run = await runInProgress(world.ci)
    world.ci.finish(run, 'success')
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.pull(8).state).toBe('closed')
    expect(world.queue.states()).toEqual({ 7: 'MERGED' })
  },
)
