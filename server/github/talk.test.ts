/** Comments, labels, drafts, reviews: what people do on the host, and what the queue shows there. */

import { expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { forgeContract } from '../forge/testing/forge-contract.ts'
import { requestOrders } from '../forge/testing/request-orders.ts'
import { github, githubWorld } from './testing/fake-github.ts'
import { requestContract } from '../forge/testing/request-contract.ts'
import { trustContract } from '../forge/testing/trust-contract.ts'
import { runInProgress } from '../forge/testing/toy-ci.ts'
import { createRequire } from 'node:module'
import { commandIn } from '../forge/comment-commands.ts'
import { hintOf } from '../forge/hook.ts'
import { githubDialect } from './adapter.ts'

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

// What people ask for: commands in comments, labels, and where webhooks say to look.

test.each([
  ['/merge', { is: 'submit' }],
  ['/merge urgent', { is: 'submit', priority: 0 }],
  ['/merge low alone', { is: 'submit', priority: 200, noBatch: true }],
  ['/merge\r\nthank you', { is: 'submit' }],
  ['/cancel', { is: 'cancel' }],
  ['/retry', { is: 'restart' }],
  ['/Merge High', { is: 'submit', priority: 10 }],
  [' /merge', null],
  ['> /merge', null],
  ['`/merge`', null],
  ['please\n/merge', null],
  ['/merged', null],
  ['', null],
])('the comment %j means %j', (body, command) => {
  expect(commandIn(body)).toEqual(command)
})

//
test.each(['/merge tomorrow', '/cancel that', '/retry 7'])(
  'the comment %j begins with a command and is none: it says what is',
  (body) => {
    const asked = body.split(' ')[1]
    expect(commandIn(body)).toEqual({
      is: 'unknown',
      words: `"${asked}" is not understood: /merge, with urgent, high, medium, low, alone or nothing behind it, /cancel and /retry are`,
    })
  },
)

type Recorded = { readonly name: string; readonly examples: readonly unknown[] }

const require = createRequire(import.meta.url)
const recorded: readonly Recorded[] = [
  require('@octokit/webhooks-examples'),
  require('@octokit/webhooks-examples/ghes-31/index.json'),
  require('@octokit/webhooks-examples/ghes-35/index.json'),
].flat()

test('every recorded payload of GitHub is read, and those about pull requests say which', () => {
  const hints = recorded.flatMap(({ name, examples }) =>
    examples.map((payload) => ({ name, hint: hintOf(githubDialect, name, payload) })),
  )
  expect(hints.length).toBeGreaterThan(300)
  const of = (event: string) => hints.filter(({ name }) => name === event)
  for (const { hint } of of('pull_request')) expect(hint?.pulls).toHaveLength(1)
  for (const { hint } of [...of('check_run'), ...of('workflow_run'), ...of('status')]) {
    expect(hint?.commits).toHaveLength(1)
  }
  expect(of('star').every(({ hint }) => hint === null)).toBe(true)
})

test.each([
  ['status', { context: 'mergeyard (main)', sha: 'a' }],
  ['issue_comment', { action: 'created', issue: {}, comment: { body: '<!-- mergeyard x -->' } }],
  ['pull_request', { pull_request: { number: 9, head: { ref: 'mergeyard/pr-7/x' } } }],
])('what this server has written itself is no news: %s', (event, payload) => {
  expect(hintOf(githubDialect, event, { repository: { full_name: 'acme/shop' }, ...payload })).toBe(
    null,
  )
})

test.each([null, 'text', 7, [], {}, { repository: null }, { repository: { full_name: 1 } }])(
  'the payload %j says nothing, and does no harm',
  (payload) => {
    expect(hintOf(githubDialect, 'pull_request', payload)).toBe(null)
  },
)
