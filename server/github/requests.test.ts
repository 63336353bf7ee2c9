/** Requests that come while the server does something else, step by step and without a network. */

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { labelled } from '../code-host/testing/played.ts'
import { written } from '../code-host/testing/acts.ts'
import { change, openedPull } from '../code-host/testing/state.ts'
import { gitea } from '../gitea/testing/fake-gitea.ts'
import { gitlab } from '../gitlab/testing/fake-gitlab.ts'
import { github, githubWorld } from './testing/fake-github.ts'
import { matrix } from '../../engine/testing/matrix.ts'
import { codeHostContract } from '../code-host/testing/code-host-contract.ts'
import { requestOrders } from '../code-host/testing/request-orders.ts'
import { requestContract } from '../code-host/testing/request-contract.ts'
import { trustContract } from '../code-host/testing/trust-contract.ts'
import { runInProgress } from '../code-host/testing/toy-ci.ts'
import { commandIn } from '../code-host/comment-commands.ts'
import { notificationOf } from '../code-host/hook.ts'
import { githubDialect } from './adapter.ts'
import { label, pay } from '../code-host/testing/code-host-world.ts'

//
test('given /merge and the removal of the label within one poll, the last of them counts', async () => {
  const { play, faults } = await labelled({ state: 'PAUSED', isThere: () => true })
  expect(await play(2, 'label')).toBe('NOT_READY')
  expect(await play(2, 'ask', 'unlabel')).toBe('CANCELLED')
  expect(await play(2)).toBe('CANCELLED')
  expect(await play(2, 'label')).toBe('NOT_READY')
  expect(await play(2, 'unlabel', 'ask')).toBe('NOT_READY')
  expect(faults).toEqual([])
})

//
test('given /merge, and a label that comes and goes behind it within one poll, nobody enters', async () => {
  const { play, faults } = await labelled({ state: 'PAUSED', isThere: () => true })
  await play(2)
  expect(await play(2, 'ask', 'label', 'unlabel')).toBe(undefined)
  expect(await play(2, 'ask')).toBe('NOT_READY')
  expect(faults).toEqual([])
})

// GitHub tells whole seconds, and nothing about the order within one.
test('a label of the second in which its pull request was closed and reopened is no new request', async () => {
  const { play, pull } = await labelled({ state: 'PAUSED', isThere: () => true })
  await play(2)
  expect(await play(0, 'label')).toBe('NOT_READY')
  expect(await play(0, 'closeAndReopen')).toBe('CANCELLED')
  expect(await play(0)).toBe('CANCELLED')
  expect(pull.labels).toEqual([])
  expect(await play(0, 'label')).toBe('NOT_READY')
})

//
test('given a push and /merge while the merge of the earlier commit is under way, the pushed one merges', async () => {
  let isThere = false
  const { play, landed } = await labelled({ state: 'RUNNING', isThere: () => isThere })
  expect(await play(2, 'label')).toBe('TESTS_PASSED')
  isThere = true
  await play(2, 'push', 'ask')
  expect(await play(2)).toBe('MERGED')
  expect(landed).toEqual(['b'.repeat(40)])
})

//
test('given a push in the moment of the merge, and the label taken away and set again, the pushed one merges, too', async () => {
  let isPushed = false
  const lands = (what: string): boolean => {
    if (what === 'land' && !isPushed) {
      isPushed = true
      act.unlabel()
      act.push()
    }
    return true
  }
  const set = { mergeMethod: 'merge_commit' } as const
  const options = { state: 'RUNNING', isThere: () => true, lands, set } as const
  const { play, landed, act } = await labelled(options)
  expect(await play(2, 'label')).toBe('MERGED')
  await play(2, 'label')
  expect(landed).toEqual(['a'.repeat(40), 'b'.repeat(40)])
})

//
test('while a push and /merge wait for the end of a merge, what others asked for in that poll is done once', async () => {
  let lands = false
  const options = { state: 'RUNNING', isThere: () => true, lands: () => lands } as const
  const { play, state, host } = await labelled(options)
  openedPull(state, { number: 8, head: 'c'.repeat(40) })
  await play(2, 'label')
  written(state, 8, '/merge', 'ada')
  await play(2)
  written(state, 8, '/retry', 'ada')
  await play(2, 'push', 'ask')
  await play(2)
  const tested = host.queue.last.testRun
  for (let poll = 0; poll < 3; poll++) await play(2)
  expect(host.queue.last.testRun).toBe(tested)
  lands = true
  for (let poll = 0; poll < 3; poll++) await play(2)
  const states = [7, 8].map((number) => host.queue.pullRequests[number]?.state)
  expect(states).toEqual(['MERGED', 'MERGED'])
})

//
test('given /merge and /cancel after a push during a merge, it is cancelled and does not enter again', async () => {
  let lands = false
  const options = { state: 'RUNNING', isThere: () => true, lands: () => lands } as const
  const { play, landed } = await labelled(options)
  expect(await play(2, 'label')).toBe('TESTS_PASSED')
  await play(2, 'push', 'ask', 'cancel')
  lands = true
  for (let poll = 0; poll < 3; poll++) expect(await play(2)).toBe('CANCELLED')
  expect(landed).toEqual([])
})

//
test.each([
  ['unlabel', 'github'],
  ['cancel', 'github'],
  ['label at the merge', 'github'],
  ['comment at the merge', 'github'],
  ['comment at the merge', 'gitea'],
  ['comment at the merge', 'gitlab'],
] as const)(
  'given tests that have passed, and a request that is taken back before the merge (%s on %s), nothing lands',
  async (at, host) => {
    const isAtMerge = at !== 'unlabel' && at !== 'cancel'
    let lands = isAtMerge
    const ask = (): boolean => {
      if (at === 'label at the merge') change(state, pull, { labels: [], by: 'ada' })
      if (at === 'comment at the merge' && state.comments.length === 0)
        written(state, 7, '/cancel', 'ada')
      return lands
    }
    const kind = { github, gitea, gitlab }[host]
    const options = { kind, state: 'RUNNING', isThere: () => true, lands: ask } as const
    const { play, landed, state, pull } = await labelled(options)
    expect(await play(2, 'label')).toBe(at === 'label at the merge' ? 'CANCELLED' : 'TESTS_PASSED')
    lands = true
    await play(2, ...(isAtMerge ? [] : [at]))
    expect(await play(2)).toBe('CANCELLED')
    expect(landed).toEqual([])
  },
)

//
test('given a label that is taken away at the merge and set again before the next poll, it merges', async () => {
  let isTaken = false
  const lands = (): boolean => {
    if (!isTaken) act.unlabel()
    isTaken = true
    return true
  }
  const { play, landed, act } = await labelled({ state: 'RUNNING', isThere: () => true, lands })
  expect(await play(2, 'label')).toBe('CANCELLED')
  expect(await play(2, 'label')).toBe('MERGED')
  expect(landed).toHaveLength(1)
})

//
test('given /cancel, and a label that somebody without the right sets behind it, it is cancelled', async () => {
  const { play } = await labelled({ state: 'PAUSED', isThere: () => true })
  expect(await play(2, 'ask')).toBe('NOT_READY')
  expect(await play(2, 'cancel', 'labelAsStranger')).toBe('CANCELLED')
})

//
test('a thumb that the host does not take is shown at the next poll', async () => {
  const options = { kind: gitea, state: 'PAUSED', isThere: () => true } as const
  const { play, state, host } = await labelled(options)
  const name = 'POST /repos/{owner}/{repo}/issues/comments/{id}/reactions'
  host.fake.instead.push({ name, answer: { status: 502, body: { message: 'away' } } })
  await play(2, 'retry')
  expect(host.fake.instead).toEqual([])
  await play(2)
  expect(state.comments[0]?.reactions).toEqual(['-1'])
})

//
test.each([
  'POST /repos/{owner}/{repo}/statuses/{sha}',
  'PATCH /repos/{owner}/{repo}/issues/comments/{id}',
  'DELETE /repos/{owner}/{repo}/issues/{index}/labels/{id}',
])(
  'given a cancel whose %s is done and its answer lost, one that asks again is shown',
  async (what) => {
    const set = { stateLabelsEnabled: true } as const
    const options = { kind: gitea, state: 'PAUSED', isThere: () => true, set } as const
    const { play, state, pull, host } = await labelled(options)
    expect(await play(2, 'ask')).toBe('NOT_READY')
    host.fake.losesAnswerOf.push(what)
    expect(await play(2, 'cancel')).toBe('CANCELLED')
    expect(host.fake.losesAnswerOf).toEqual([])
    await play(2, 'ask')
    await play(600)
    expect(state.statuses.at(-1)?.state).toBe('pending')
    const own = state.comments.find(({ user }) => user === state.login)
    expect(own?.body).toContain('is not ready')
    expect(pull.labels).toEqual(['merge-queue: waiting'])
  },
)

//
test('a labelled draft that slips between two pages of the list keeps its label', async () => {
  const { play, state, pull, host } = await labelled({ state: 'PAUSED', isThere: () => true })
  change(state, pull, { isDraft: true, by: 'bob' })
  const others = Array.from({ length: 100 }, (_, index) =>
    openedPull(state, { number: 8 + index, head: 'c'.repeat(40) }),
  )
  await play(2, 'label')
  const closesNewest = (): void => {
    const newest = others.at(-1)
    if (newest) change(state, newest, { state: 'closed', by: 'bob' })
  }
  for (const act of [() => undefined, closesNewest])
    host.fake.before.push({ name: github.list, act })
  await play(2)
  expect(host.fake.before).toEqual([])
  expect(pull.labels).toEqual([label])
})

//
test('a label on one whose base no queue merges is answered once, and stays', async () => {
  const { play, state, pull } = await labelled({ state: 'PAUSED', isThere: () => true })
  change(state, pull, { base: 'release', by: 'bob' })
  await play(2, 'label')
  const said = (): string[] => state.comments.map(({ body }) => body)
  const [words = ''] = said()
  expect(words).toContain(
    '7 asks to merge into release; the queue merges into main: change its base',
  )
  await play(60)
  expect(said()).toEqual([words])
  expect(pull.labels).toEqual([label])
})

//
test('given two requests of one poll that are refused, the words tell why of both', async () => {
  const { play, state } = await labelled({ state: 'PAUSED', isThere: () => true })
  await play(2, 'askAsStranger', 'retry')
  const told = state.comments.find(({ user }) => user === state.login)?.body
  expect(told).toContain('not done: eve (read) may not ask by comment')
  expect(told).toContain('not done: it is not in the queue')
})

// GitHub's own stacks: a member lands by the merge in the background, and a refusal concerns it alone.

//
test('a member of a stack lands in the background, those beside it by the button, each once', async () => {
  const world = await githubWorld({ isAutomatic: true, set: { mergeMethod: 'squash' } })
  for (const number of [7, 8]) {
    await world.ask(number, { [`${number}.txt`]: 'x\n' })
    if (number === 7) world.pull(number).stack = {}
  }
  await world.queue.untilState('MERGED', 7, 8)
  expect((await world.repository.landed()).sort()).toEqual(['7', '8'])
  const asked = world.fake.requests.map(({ name, status }) => `${status} ${name}`)
  const merges = asked.filter((each) => /pull_number}\/merge/.test(each))
  const of = (what: string) =>
    merges.filter((each) => each.endsWith(what)).map((each) => each.slice(0, 3))
  expect(of('/merge').sort()).toEqual(['200', '403'])
  expect(of('/merge-async')).toEqual(['202'])
  expect(of('/{uuid}')).toEqual(['200', '200'])
  expect(world.queue.queue().state).toBe('RUNNING')
})

//
test('a stack that GitHub does not merge: its member leaves with the words, the others merge', async () => {
  const set = { mergeMethod: 'squash', batch: true, batchingMinSize: 2 } as const
  const world = await githubWorld({ isAutomatic: true, set })
  const why = 'Merge conflict: the pull request could not be merged.'
  for (const number of [7, 8]) {
    await world.ask(number, { [`${number}.txt`]: 'x\n' })
    if (number === 7) world.pull(number).stack = { refused: why }
  }
  await world.queue.untilState('FAILED', 7)
  await world.queue.untilState('MERGED', 8)
  expect(world.queue.history().pullRequests.get(7)?.refusedFor).toContain(why)
  expect(world.queue.queue().state).toBe('RUNNING')
  expect(await world.repository.landed()).toEqual(['8'])
})

// Comments, labels, drafts, reviews: what people do on the host, and what the queue shows there.

//
codeHostContract(github)

//
trustContract(github)

//
requestOrders(github)

//
requestContract(github)

test('authors may cancel their own, and an edited comment is no command', matrix, async () => {
  const world = await githubWorld()
  await world.ask(7, pay, { by: 'bob' })
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

test('a test branch gets a draft, which never enters and closes with it', matrix, async () => {
  const world = await githubWorld({ set: { createPrsForTestingBranches: true } })
  await world.ask(7)
  await expect.poll(() => world.fake.state.pulls.get(8)?.isDraft).toBe(true)
  const run = await runInProgress(world.ci)
  world.ci.finish(run, 'success')
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.pull(8).state).toBe('closed')
  expect(world.queue.states()).toEqual({ 7: 'MERGED' })
})

// What people ask for: commands in comments, labels, and what webhooks say to poll.

test.each([
  ['/merge', { is: 'submit' }],
  ['/enqueue urgent', { is: 'submit', priority: 0 }],
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
  'the comment %j says what a command is',
  (body) => {
    const asked = body.split(' ')[1]
    expect(commandIn(body)).toEqual({
      is: 'unknown',
      words: `"${asked}" is not understood: /enqueue, with urgent, high, medium, low, alone or nothing behind it, /cancel and /retry are`,
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
  const notifications = recorded.flatMap(({ name, examples }) =>
    examples.map((payload) => ({
      name,
      notification: notificationOf(githubDialect, name, payload),
    })),
  )
  expect(notifications.length).toBeGreaterThan(300)
  const of = (event: string) => notifications.filter(({ name }) => name === event)
  for (const { notification } of of('pull_request')) expect(notification?.pulls).toHaveLength(1)
  for (const { notification } of [...of('check_run'), ...of('workflow_run'), ...of('status')]) {
    expect(notification?.commits).toHaveLength(1)
  }
  expect(of('star').every(({ notification }) => notification === null)).toBe(true)
})

test.each([
  ['status', { context: 'mergeyard (main)', sha: 'a' }],
  ['issue_comment', { action: 'created', issue: {}, comment: { body: '<!-- mergeyard x -->' } }],
  ['pull_request', { pull_request: { number: 9, head: { ref: 'mergeyard/pr-7/x' } } }],
])('what this server has written itself is no notification: %s', (event, payload) => {
  expect(
    notificationOf(githubDialect, event, { repository: { full_name: 'acme/shop' }, ...payload }),
  ).toBe(null)
})

test.each([null, 'text', 7, [], {}, { repository: null }, { repository: { full_name: 1 } }])(
  'the payload %j says nothing',
  (payload) => {
    expect(notificationOf(githubDialect, 'pull_request', payload)).toBe(null)
  },
)
