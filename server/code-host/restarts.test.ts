/** What people see and asked for after a stop or a kill of the server, step by step and without a network. */

import { expect, test } from 'vitest'
import { gitea } from '../gitea/testing/fake-gitea.ts'
import { github } from '../github/testing/fake-github.ts'
import { gitlab } from '../gitlab/testing/fake-gitlab.ts'
import { written } from './testing/acts.ts'
import { label } from './testing/code-host-world.ts'
import { labelled } from './testing/played.ts'
import { change, openedPull } from './testing/state.ts'

//
test('given a server that is killed before it keeps whose label it knows, its removal cancels', async () => {
  let lands = false
  const options = { state: 'RUNNING', isThere: () => true, lands: () => lands } as const
  const { play, landed, host } = await labelled(options)
  expect(await play(2, 'label')).toBe('TESTS_PASSED')
  host.crash()
  lands = true
  expect(await play(2, 'unlabel')).toBe('CANCELLED')
  expect(landed).toEqual([])
})

//
test.each([github, gitea, gitlab])(
  'given a labelled draft that is cancelled by a comment, it does not enter when it is ready ($host)',
  async (kind) => {
    const { play, state, pull, host } = await labelled({
      kind,
      state: 'PAUSED',
      isThere: () => true,
    })
    change(state, pull, { isDraft: true, by: 'bob' })
    await play(2, 'label')
    expect(pull.labels).toEqual([label])
    await play(2, 'cancel')
    await host.restart()
    change(state, pull, { isDraft: false, by: 'bob' })
    await play(60)
    expect(pull.labels).toEqual([])
    const done: unknown = expect.stringMatching(/^(?:\+1|thumbsup)$/)
    expect(state.comments).toMatchObject([{ user: 'ada', reactions: [done] }])
  },
)

//
test('given a server that stopped before it told how a pull request ended, it does so hours later', async () => {
  let isThere = false
  const options = { state: 'RUNNING', passes: false, isThere: () => isThere } as const
  const { play, state, host, wait } = await labelled(options)
  expect(await play(2, 'label')).toBe('FAILED')
  expect(state.statuses).toEqual([])
  wait(7_200_000)
  await host.restart()
  isThere = true
  await host.pass()
  expect(state.statuses).toMatchObject([{ state: 'failure' }])
})

//
test('one that has left keeps no label of the state before, also after a restart', async () => {
  let isThere = true
  const set = { stateLabelsEnabled: true } as const
  const { play, pull, host } = await labelled({ state: 'PAUSED', isThere: () => isThere, set })
  await play(2, 'label')
  expect(pull.labels).toContain('merge-queue: waiting')
  isThere = false
  expect(await play(2, 'close')).toBe('CANCELLED')
  await host.restart()
  isThere = true
  await play(60)
  expect(pull.labels).not.toContain('merge-queue: waiting')
})

//
test('a command that was answered is answered once, also if the server is killed right after it', async () => {
  const { play, state, host } = await labelled({ state: 'PAUSED', isThere: () => true })
  expect(await play(2, 'label')).toBe('NOT_READY')
  await play(2, 'retry')
  host.crash()
  await play(2)
  expect(state.comments.find(({ body }) => body === '/retry')?.reactions).toEqual(['-1'])
})

//
test.each(['PAUSED', 'RUNNING'] as const)(
  'given a refusal below one that waits or has failed (%s), a start leaves the words and says no end again',
  async (is) => {
    const options = { state: is, passes: false, isThere: () => true } as const
    const { play, state, host } = await labelled(options)
    expect(await play(2, 'label')).toBe(is === 'PAUSED' ? 'NOT_READY' : 'FAILED')
    await play(2, 'askAsStranger')
    await play(60)
    const said = state.comments.map(({ body }) => body)
    expect(said.join()).toContain('not done: eve (read) may not ask by comment')
    const ends = () => state.statuses.filter((status) => status.state !== 'pending')
    const before = ends()
    host.crash()
    await play(60)
    expect(state.comments.map(({ body }) => body)).toEqual(said)
    expect(ends()).toEqual(before)
  },
)

//
test.each(['killed', 'not answered'])(
  'given a server that is %s behind the removal of a label, one that is set anew counts',
  async (what) => {
    const options = { kind: gitea, state: 'PAUSED', isThere: () => true } as const
    const { play, pull, host } = await labelled(options)
    expect(await play(2, 'label')).toBe('NOT_READY')
    expect(await play(2, 'cancel')).toBe('CANCELLED')
    const away = { status: 502, body: { message: 'away' } }
    host.fake.instead.push({ name: 'GET /repos/{owner}/{repo}/issues/comments', answer: away })
    await play(2)
    expect(pull.labels).toEqual([])
    if (what === 'killed') host.crash()
    expect(await play(2, 'label')).toBe('NOT_READY')
  },
)

//
test.each([false, true])(
  'given one that was cancelled, a label that is set anew before the old one is away counts (killed: %s)',
  async (isKilled) => {
    const { play, pull, host } = await labelled({ state: 'PAUSED', isThere: () => true })
    expect(await play(2, 'label')).toBe('NOT_READY')
    expect(await play(2, 'cancel')).toBe('CANCELLED')
    if (isKilled) host.crash()
    expect(await play(2, 'unlabel', 'label')).toBe('NOT_READY')
    expect(await play(2, 'cancel')).toBe('CANCELLED')
    expect(await play(2)).toBe('CANCELLED')
    expect(pull.labels).toEqual([])
  },
)

//
test('given one that left, and is closed while its label is looked at, the label goes', async () => {
  let isClosing = false
  const { play, act, pull } = await labelled({
    state: 'PAUSED',
    isThere: () => true,
    onRequest: (what) => {
      if (isClosing && pull.state === 'open' && what.endsWith('/{pull_number}')) act.close()
    },
  })
  await play(2, 'label')
  await play(2, 'cancel')
  isClosing = true
  await play(2)
  await play(60)
  expect([pull.state, pull.labels]).toEqual(['closed', []])
})

//
test.each([
  ['GitHub', github],
  ['Gitea', gitea],
  ['GitLab', gitlab],
] as const)(
  'given a label on %s that is taken away and set anew before the next poll, it counts by the right of who set it',
  async (_host, kind) => {
    const { play, state, host } = await labelled({ kind, state: 'PAUSED', isThere: () => true })
    expect(await play(2, 'label')).toBe('NOT_READY')
    expect(await play(2, 'unlabel', 'label')).toBe('NOT_READY')
    host.crash()
    expect(await play(2, 'unlabel', 'labelAsStranger')).toBe('CANCELLED')
    await play(60)
    expect(state.comments.map(({ body }) => body).join()).toContain('may not ask by label')
  },
)

//
test('given a server that is killed after it took a refused label away, the next one says why', async () => {
  const { play, state, pull, host } = await labelled({
    kind: gitea,
    state: 'PAUSED',
    isThere: () => true,
  })
  const killed = { status: 502, body: { message: 'the server is killed here' } }
  host.fake.instead.push({ name: 'GET /repos/{owner}/{repo}/issues/comments', answer: killed })
  await play(2, 'labelAsStranger')
  expect([pull.labels, state.comments]).toEqual([[], []])
  host.crash()
  await play(2)
  expect(state.comments.map(({ body }) => body).join()).toContain('eve (read) may not ask by label')
})

//
test.each([
  ['/cancel', '+1'],
  ['/enqueue', '-1'],
] as const)(
  'given a server that is killed before it keeps that it has answered %s, there is one thumb, and it is true',
  async (command, thumb) => {
    const options = { kind: gitea, state: 'RUNNING', isThere: () => true } as const
    const { play, state, host } = await labelled({
      ...options,
      lands: (what) => what.endsWith('/reactions'),
    })
    const pull = openedPull(state, { number: 8, head: 'c'.repeat(40) })
    // Its merge fails, so no pass goes to its end.
    expect(await play(2, 'label')).toBe('TESTS_PASSED')
    if (command === '/cancel') written(state, 8, '/enqueue', 'ada')
    await play(2)
    const comment = written(state, 8, command, 'ada')
    await play(2)
    host.crash()
    if (command === '/enqueue') change(state, pull, { head: 'd'.repeat(40), by: 'bob' })
    for (let poll = 0; poll < 2; poll++) await play(2)
    expect(host.queue.pullRequests[8]?.state).toBe('CANCELLED')
    expect(comment.reactions).toEqual([thumb])
  },
)

//
test('given a label of a new head whose asker the host cannot tell yet, it counts at the next poll', async () => {
  const { play, host } = await labelled({ kind: gitea, state: 'PAUSED', isThere: () => true })
  expect(await play(2, 'ask')).toBe('NOT_READY')
  const name = 'GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission'
  host.fake.instead.push({ name, answer: { status: 500, body: { message: 'it fails' } } })
  expect(await play(2, 'push', 'label')).toBe('CANCELLED')
  expect(host.fake.instead).toEqual([])
  expect(await play(2)).toBe('NOT_READY')
})

//
test('given a comment of the queue that somebody removes, it is written once, though its answer is lost', async () => {
  const { play, state, host } = await labelled({
    kind: gitea,
    state: 'PAUSED',
    isThere: () => true,
  })
  const own = () => state.comments.filter(({ user }) => user === state.login)
  await play(2, 'ask')
  for (const comment of own()) state.comments.splice(state.comments.indexOf(comment), 1)
  host.fake.losesAnswerOf.push('POST /repos/{owner}/{repo}/issues/{index}/comments')
  expect(await play(2, 'cancel')).toBe('CANCELLED')
  await play(600)
  expect(own()).toHaveLength(1)
})
