/**
 * What people do on a host and see there, as stories that hold on every one.
 */

import { describe, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import type { FakeDialect, HostName } from './dialect.ts'
import { oneApproval, type FakeWorkflowRun } from './state.ts'
import { hookSecret } from './fake-hooks.ts'
import {
  codeHostWorld,
  type CodeHostWorldOptions,
  expectHidden,
  label,
  pay,
  watchedGit,
} from './code-host-world.ts'
import { runInProgress } from './toy-ci.ts'

/** How a story is played: on the host that it names, and as part of the matrix on the others. */
export function playing(kind: FakeDialect) {
  const only = (named: HostName) => (named === kind.host ? {} : matrix)
  return {
    on: { Gitea: only('Gitea'), GitLab: only('GitLab'), GitHub: only('GitHub') },
    worldOf: (options?: CodeHostWorldOptions) => codeHostWorld(kind, options),
  }
}

const badGateway = { status: 502, body: { message: 'Bad Gateway' } }
/** So long that only webhooks make the server poll. */
const never = 3_600_000

export function codeHostContract(kind: FakeDialect): void {
  describe(`on ${kind.host}`, () => {
    judged(kind)
    asked(kind)
    answered(kind)
    sent(kind)
  })
}

function judged(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  const { page, hasStatus } = kind
  const shown = (words: string): string | undefined => (hasStatus ? words : undefined)

  test('a label submits, CI decides, and the pull request is merged as it was tested', async () => {
    const world = await worldOf({ publicUrl: 'https://queue.example.com/' })
    const { head } = await world.ask(7)
    const run = await runInProgress(world.ci)
    await expect.poll(() => world.statusOf(head)).toBe(shown('pending: is being tested'))
    world.ci.finish(run, 'success')
    await expect.poll(() => world.pull(7).mergeCommit).toBe(run.sha)
    expect(await world.repository.oidOf('main')).toBe(run.sha)
    expect(await world.repository.git(['log', '-1', '--format=%B', 'main'])).not.toContain('#')
    expect(world.queue.host().pageOf(7)).toBe(`${world.fake.url}/acme/shop/${page}/7`)
    expect([...world.fake.state.pulls.keys()]).toEqual([7])
    await expect.poll(() => world.statusOf(head)).toBe(shown('success: has merged'))
    await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
    const [queue] = world.queue.server.manager.registry.queues
    const shownAt = `https://queue.example.com/q/${queue?.ids.start}/7`
    expect(world.said(7).join()).toContain(`(${shownAt})`)
    expect(world.fake.state.statuses.map(({ url }) => url).includes(shownAt)).toBe(hasStatus)
  })

  test('a failure names the check and removes the label until it is back', on.GitLab, async () => {
    const set = { stateLabelsEnabled: true }
    const world = await worldOf({ jobs: ['ci', 'lint'], set })
    const { head } = await world.ask(7)
    const first = await runInProgress(world.ci)
    world.ci.finish(first, 'failure', 'ci')
    await world.queue.untilState('FAILED', 7)
    // Nobody waits for the other job.
    await expect.poll(() => first.conclusion).toBe(kind.host === 'Gitea' ? null : 'cancelled')
    await expect.poll(() => world.pull(7).labels).toEqual(['merge-queue: failed'])
    await expect.poll(() => world.said(7).join()).toContain('has failed: its tests failed')
    expect(world.statusOf(head)).toBe(shown('failure: has failed: its tests failed'))
    expect(world.said(7)).toEqual([expect.stringContaining('`ci` failed')])
    await world.seen()
    world.change(7, { labels: [label, 'merge-queue: failed'] })
    // The same commit: the checks of the first run must not count.
    const others = (): FakeWorkflowRun[] => world.ci.going.filter(({ id }) => id !== first.id)
    await expect.poll(others).toHaveLength(1)
    for (const run of others()) world.ci.finish(run, 'success')
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.pull(7).labels).toContain('merge-queue: merged')
  })

  test('with squash the commit on the branch has the tree that was tested', matrix, async () => {
    const world = await worldOf({ set: { mergeMethod: 'squash' } })
    await world.ask(7, pay, { title: 'Pay [skip ci] twice' })
    const run = await runInProgress(world.ci)
    world.ci.finish(run, 'success')
    await expect.poll(() => world.pull(7).state).toBe('closed')
    await world.queue.untilState('MERGED', 7)
    const [main, tree, parents, title] = (
      await world.repository.git(['log', '-1', '--format=%H%n%T%n%P%n%s', 'main'])
    ).split('\n')
    expect(world.pull(7).mergeCommit).toBe(main)
    expect(tree).toBe(await world.repository.oidOf(`${run.sha}^{tree}`))
    expect([parents?.includes(' '), title]).toEqual([false, 'Pay twice'])
  })
}

function asked(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('writers submit by comment, others get a thumb down, authors cancel', on.Gitea, async () => {
    const world = await worldOf()
    const reactions = () => world.fake.state.comments.flatMap((comment) => comment.reactions)
    await world.open(7, pay, { by: 'bob' })
    // What was said before the server began to listen is over.
    await world.seen()
    world.comment(7, 'eve', '/enqueue')
    await expect.poll(reactions).toHaveLength(1)
    expect(world.queue.states()).toEqual({})
    world.comment(7, 'ada', '/enqueue high')
    await world.queue.untilState('TESTING', 7)
    await expect.poll(reactions).toHaveLength(2)
    expect(new Set(reactions()).size).toBe(2)
    expect(world.queue.queue().pullRequests[7]?.priority).toBe(10)
    world.comment(7, 'bob', '/cancel')
    await world.queue.untilState('CANCELLED', 7)
  })

  test('one that lacks an approval waits, and is tested with it', on.GitLab, async () => {
    const world = await worldOf({ isAutomatic: true })
    world.fake.state.rules = oneApproval
    await world.seen()
    const { head, reviews } = await world.ask(7)
    await world.queue.untilState('NOT_READY', 7)
    await expect.poll(() => world.said(7).join()).toContain('an approval is missing')
    world.change(7, { reviews: [...reviews, { user: 'ada', state: 'APPROVED', commit: head }] })
    await world.queue.untilState('MERGED', 7)
  })

  test('a force-push in the middle takes it out; a fork merges', on.Gitea, async () => {
    const world = await worldOf()
    await world.ask(7)
    const run = await runInProgress(world.ci)
    await world.push(7, { 'pay.txt': 'thrice\n' })
    await world.queue.untilState('CANCELLED', 7)
    expect(world.queue.reasonOf(7)).toBe('PR_PUSHED_TO')
    await expect.poll(() => run.conclusion).toBe(kind.host === 'Gitea' ? null : 'cancelled')
    await expect.poll(() => world.pull(7).labels).toEqual([])
    world.ci.finish(run, 'success')
    // One in a fork can be named as a test branch is.
    const fork = { isFork: true, branch: 'mergeyard/pr-8/mine' }
    await world.ask(8, { 'other.txt': 'new\n' }, fork)
    world.ci.finish(await runInProgress(world.ci), 'success')
    await world.queue.untilState('MERGED', 8)
    expect(await world.repository.files()).not.toContain('pay.txt')
  })
}

function answered(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  //
  test('every comment that begins with a command word gets an answer', on.Gitea, async () => {
    const world = await worldOf()
    await world.repository.set('refs/heads/release', await world.repository.oidOf('main'))
    for (const number of [6, 7, 8, 9]) await world.open(number, { [`${number}.txt`]: '\n' })
    world.change(6, { isDraft: true })
    world.change(8, { base: 'release' })
    world.change(9, { state: 'closed' })
    await world.seen()
    const answers = async (number: number, by: string, body: string, answer: string) => {
      world.comment(number, by, body)
      await expect.poll(() => world.said(number).join()).toContain(answer)
    }
    await answers(7, 'ada', '/enqueue please', '"please" is not understood: /enqueue')
    await answers(
      7,
      'eve',
      '/enqueue',
      'may not ask by comment: that needs the permission to write',
    )
    await answers(8, 'ada', '/enqueue', 'into release; the queue merges into main: change its base')
    await answers(9, 'ada', '/enqueue', 'pull request 9 is closed')
    await answers(6, 'ada', '/enqueue', 'is a draft')
    await answers(7, 'ada', '/retry', 'it is not in the queue')
    await answers(7, 'ada', '/Enqueue', 'is being tested')
    expect(world.said(7)).toHaveLength(1)
  })

  //
  test('of two queues the one to which the bases lead answers', on.Gitea, async () => {
    const branches = ['main', 'release']
    const world = await worldOf({ branches })
    await world.open(6, { '6.txt': '\n' }, { base: 'release' })
    await world.open(7, { '7.txt': '\n' }, { base: 'change-6', from: 'change-6' })
    for (const branch of branches) await world.queue.poll(branch)
    for (const number of [6, 7]) world.comment(number, 'ada', '/enqueue')
    await expect.poll(() => world.said(7).join()).toContain('is being tested')
    for (const branch of branches) await world.queue.poll(branch)
    expect(world.said(7)).toEqual([expect.stringContaining('queue for `release`')])
  })
}

function sent(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  const { token, list, ci, comment, mark } = kind
  for (const webhooks of ['once', 'twice', 'late'] as const) {
    test(`given webhooks that come ${webhooks}, the end is the same`, matrix, async () => {
      const pollMs = webhooks === 'late' ? 100 : never
      const world = await worldOf({ isAutomatic: true, webhooks, pollMs })
      await world.ask(7)
      await world.ask(8, { 'broken/8': '' })
      await world.queue.untilState('MERGED', 7)
      await world.queue.untilState('FAILED', 8)
      await world.fake.hooks.sendLate()
      expect(world.queue.states()).toEqual({ 7: 'MERGED', 8: 'FAILED' })
    })
  }

  test('a webhook without the proof is refused', on.GitLab, async () => {
    const world = await worldOf()
    expect(await world.deliver('push', {}, 'another secret')).toBe(401)
    expect(await world.deliver('push', {})).toBe(202)
    const url = `${world.queue.server.url}/hooks/${kind.kind}`
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await fetch(url)).status).toBe(405)
  })

  test('given requests that fail once, it merges all the same', on.GitLab, async () => {
    const world = await worldOf({ isAutomatic: true })
    const mayFail = [list, ci, comment, ...(mark === null ? [] : [mark])]
    world.fake.instead.push(...mayFail.map((name) => ({ name, answer: badGateway })))
    await world.ask(7)
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
    await expect.poll(() => world.fake.instead).toEqual([])
    expect(await world.repository.landed()).toEqual(['7'])
  })

  test('no secret is anywhere in clear', on.Gitea, async () => {
    const calls = watchedGit()
    const world = await worldOf({ isAutomatic: true })
    await world.ask(7)
    await world.queue.untilState('MERGED', 7)
    await expect.poll(() => world.said(7)).toHaveLength(1)
    const basic = ['mergeyard', 'oauth2', 'x-access-token'].map((user) => btoa(`${user}:${token}`))
    await expectHidden(world, calls, [token, ...basic, hookSecret])
  })
}
