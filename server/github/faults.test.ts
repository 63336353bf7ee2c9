/** GitHub fails, forgets and refuses, and the server is stopped in between: the end is the same. */

import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { systemTime } from '../queues/system-clock.ts'
import { githubWorld } from './testing/fake-github.ts'
import type { Answer } from '../code-host/testing/call.ts'
import { protect, runInProgress } from '../code-host/testing/toy-ci.ts'
import { pay } from '../code-host/testing/code-host-world.ts'

const repo = '/repos/{owner}/{repo}'

const merge = `PUT ${repo}/pulls/{pull_number}/merge`
const badGateway: Answer = { status: 502, body: { message: 'Server Error' } }
const busy: Answer = {
  status: 405,
  body: { message: 'Base branch was modified. Review and try the merge again.' },
}
const times = (count: number, name: string, answer: Answer) =>
  Array.from({ length: count }, () => ({ name, answer }))

const reads = [`GET ${repo}/pulls`, `GET ${repo}/commits/{ref}/check-runs`]
const comment = `POST ${repo}/issues/{issue_number}/comments`
const failing = [...reads, comment].flatMap((name) => times(5, name, badGateway))

test(
  'given lists, checks and comments that fail, and a busy button, it merges all the same',
  matrix,
  async () => {
    const world = await githubWorld({ isAutomatic: true, set: { mergeMethod: 'squash' } })
    world.fake.instead.push(...failing, ...times(2, merge, busy))
    await world.ask(7)
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
    expect(await world.repository.landed()).toEqual(['7'])
    expect(world.fake.instead).toEqual([])
  },
)

//
test('a merge whose answer is lost has merged, once, with the message of the commit that was tested', async () => {
  const world = await githubWorld({ isAutomatic: true, set: { mergeMethod: 'squash' } })
  world.fake.losesAnswerOf.push(merge)
  const body = '<!-- A template. -->\nWhy.\n\nFixes: 5'
  await world.ask(7, pay, { title: 'Pay twice', body })
  await world.queue.untilState('MERGED', 7)
  expect(world.queue.reasonOf(7)).toBe('MERGE_GRAPH_MERGE')
  expect(await world.repository.landed()).toEqual(['7'])
  expect(await world.repository.git(['log', '-1', '--format=%B', 'main'])).toBe(
    'Pay twice\n\nWhy.\n\nFixes: 5\nMergeyard-Pull: 7',
  )
})

test('a head that moves right before the merge button is not merged', matrix, async () => {
  const world = await githubWorld({ set: { mergeMethod: 'squash' } })
  await world.ask(7)
  await expect.poll(() => world.ci.going).toHaveLength(1)
  world.fake.before.push({ name: merge, act: () => world.push(7, { 'pay.txt': 'thrice\n' }) })
  for (const run of world.ci.going) world.ci.finish(run, 'success')
  await world.queue.until(() => ['FAILED', 'CANCELLED'].includes(world.queue.states()[7] ?? ''))
  expect(await world.repository.files()).not.toContain('pay.txt')
})

test('a branch that moved before the merge button is tested again', matrix, async () => {
  const verdicts: (() => void)[] = []
  const world = await githubWorld({
    set: { mergeMethod: 'squash' },
    isAutomatic: true,
    webhooks: 'once',
    // Only webhooks say what to poll, and none tells of the push.
    pollMs: 2 ** 30,
    hold: (command, send) => void (command.type === 'finishTestRun' ? verdicts.push(send) : send()),
  })
  await world.ask(7)
  await expect.poll(() => verdicts).toHaveLength(1)
  await world.fake.hooks.settled()
  for (const _ of ['a pass', 'the one after it']) await world.queue.poll()
  world.fake.hooks.plan = 'missing'
  await world.repository.commit('refs/heads/main', { 'other.txt': 'new\n' })
  world.fake.hooks.plan = 'once'
  verdicts[0]?.()
  await expect.poll(() => verdicts).toHaveLength(2)
  verdicts[1]?.()
  await world.queue.untilState('MERGED', 7)
  expect(world.queue.moves(7)).toContain('PENDING MANUAL_PUSH_TO_TARGET_BRANCH')
  expect(world.queue.reasonOf(7)).toBe('MERGE_GRAPH_MERGE')
})

test('a push between the poll and the merge raises the alarm', matrix, async () => {
  const world = await githubWorld({ set: { mergeMethod: 'squash' } })
  await world.ask(7)
  await expect.poll(() => world.ci.going).toHaveLength(1)
  const act = () => world.repository.commit('refs/heads/main', { 'other.txt': 'new\n' })
  world.fake.before.push({ name: merge, act })
  for (const run of world.ci.going) world.ci.finish(run, 'success')
  await world.queue.untilState('MERGED', 7)
  expect(world.log.join('')).toContain('GitHub has merged another tree than was tested')
  expect(world.queue.reasonOf(7)).toBe('MANUAL_MERGE')
})

test('a server that is stopped in each phase goes on where it was', async () => {
  const world = await githubWorld()
  const again = async (): Promise<void> => {
    await world.queue.stop()
    await world.queue.start()
  }
  await world.ask(7)
  await world.queue.untilState('TESTING', 7)
  const run = await runInProgress(world.ci)
  await again()
  // A comment that was written while nobody listened.
  await world.queue.stop()
  world.comment(7, 'ada', '/merge urgent')
  world.ci.finish(run, 'success')
  await world.queue.start()
  await world.queue.untilState('MERGED', 7)
  await again()
  await world.seen()
  expect(await world.repository.landed()).toEqual(['7'])
  expect(world.fake.state.workflowRuns).toHaveLength(1)
  await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
})

//
test('given a start that leaves out one queue of a repository, who waits there is told so', async () => {
  const set = { stateLabelsEnabled: true }
  const world = await githubWorld({ branches: ['main', 'release'], set })
  const { head } = await world.ask(7, pay, { base: 'release' })
  await expect.poll(() => world.statusOf(head)).toBe('pending: is being tested')
  await world.queue.stop()
  await world.queue.start(['main'])
  const words = 'this server was not told of the repository of local/acme/shop:release'
  await expect.poll(() => world.said(7)).toEqual([expect.stringContaining(words)])
  expect(world.statusOf(head)).toContain(words)
  expect(world.pull(7).labels).toEqual(['merge-queue', 'merge-queue: waiting'])
  const cancel = { type: 'cancelPullRequest', number: 7, reason: 'USER_REQUESTED' } as const
  world.queue.send(cancel, 'release')
  await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has left the queue')])
})

// A-230, E-308
test('given a host that is away when the time of a run is over, nobody times out', async () => {
  let aheadMs = 0
  const time = { ...systemTime, system: () => Date.now() + aheadMs }
  const world = await githubWorld({ set: { testingTimeoutMinutes: 5 }, time })
  await world.ask(7)
  const run = await runInProgress(world.ci)
  world.ci.finish(run, 'success')
  aheadMs = 270_000
  world.fake.onRequest = () => badGateway
  await expect.poll(() => world.queue.host().status().faults).not.toEqual([])
  aheadMs = 330_000
  world.queue.send({ type: 'wake' })
  expect(world.queue.states()).toEqual({ 7: 'TESTING' })
  world.fake.onRequest = () => null
  await world.queue.untilState('MERGED', 7)
})

test.each([
  ['merge_commit', 'GH006'],
  ['squash', 'Cannot update this protected ref'],
] as const)(
  'a branch that takes no %s pauses the queue, and nobody fails',
  matrix,
  async (mergeMethod, words) => {
    const world = await githubWorld({ set: { mergeMethod } })
    await world.ask(7)
    const run = await runInProgress(world.ci)
    protect(world.fake.state, { from: 'protection', checks: ['ci', 'by hand'], approvals: 0 })
    world.fake.state.isButtonDenied = true
    world.ci.finish(run, 'success')
    await world.queue.until(() => world.queue.queue().state === 'PAUSED')
    expect(world.queue.host().status().faults.join()).toContain(words)
    expect(world.queue.states()).not.toMatchObject({ 7: 'FAILED' })
  },
)

//
test('a change that is on the branch already is closed with words', matrix, async () => {
  const world = await githubWorld({ set: { state: 'PAUSED' } })
  await world.ask(7)
  await world.queue.untilState('NOT_READY', 7)
  const main = await world.repository.commit('refs/heads/main', pay)
  world.queue.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.pull(7).state).toBe('closed')
  expect(world.said(7)).toEqual([expect.stringContaining('was on the branch already')])
  expect(await world.repository.oidOf('main')).toBe(main)
})

//
test.each(['squash', 'rebase'] as const)(
  'a lost answer to a %s is found on the branch',
  matrix,
  async (mergeMethod) => {
    let isDeaf = true
    const world = await githubWorld({
      isAutomatic: true,
      set: { mergeMethod },
      hold: (command, send) => (isDeaf && command.type === 'finishMerge' ? undefined : send()),
    })
    await world.open(7)
    // A rebase makes a commit of each.
    await world.repository.commit('refs/heads/change-7', { 'b.txt': 'b\n' }, 'change-7')
    await world.fake.pushed()
    await world.seen()
    world.label(7)
    await expect.poll(() => world.pull(7).mergedAt).not.toBe(null)
    await world.queue.stop()
    isDeaf = false
    await world.queue.start()
    await world.queue.untilState('MERGED', 7)
    expect(world.queue.reasonOf(7)).toBe('MERGE_GRAPH_MERGE')
  },
)

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('an App whose clock is an hour off works: GitHub is %s', matrix, async (_, clockAheadMs) => {
  const auth = { kind: 'app', id: 12, key: () => privateKey } as const
  const world = await githubWorld({ auth, isAutomatic: true, clockAheadMs })
  world.fake.state.login = 'mergeyard[bot]'
  await world.ask(7)
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
})
