/** Why a pull request left, waits or is tested again: the same facts in the API, on the command line, on the page and on its host. */

import { describe, expect, test } from 'vitest'
import { isTerminal, pullRequestTransitions, restartReasons } from '../../../engine/index.ts'
import type { Reason, RecordedCommand } from '../../../engine/index.ts'
import type { FakeDialect } from '../../../server/code-host/testing/dialect.ts'
import { playing } from '../../../server/code-host/testing/code-host-contract.ts'
import { runInProgress } from '../../../server/code-host/testing/toy-ci.ts'
import { gitea } from '../../../server/gitea/testing/fake-gitea.ts'
import { github } from '../../../server/github/testing/fake-github.ts'
import { gitlab } from '../../../server/gitlab/testing/fake-gitlab.ts'
import { hostedWorld } from '../../../server/hosting/testing/hosted-world.ts'
import { QueueRegistry } from '../../../server/queues/queue-registry.ts'
import { silent } from '../../../server/testing/recording.ts'
import { reasonWords, whyOf } from '../../../server/views/why.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import type * as wire from '../../../server/contract/wire.ts'
import type { CodeHostWorld } from '../../../server/code-host/testing/code-host-world.ts'
import { views } from '../../../server/page/view.ts'
import { Client, Contract } from '../../../server/testing/client.ts'

const folder = new CliFolder()
const main = { repo: { host: 'local', owner: 'acme', name: 'shop' }, targetBranch: 'main' }

/** Pauses the queue, or lets it go on. */
async function setState(world: Said, state: 'PAUSED' | 'RUNNING'): Promise<void> {
  await clientOf(world).ok('updateQueue', { ...main, state })
}

/** A plain repository has no comments. */
type Said = Pick<CodeHostWorld, 'queue'> & Partial<Pick<CodeHostWorld, 'said'>>

const clientOf = ({ queue }: Said) => new Client(queue.server.url, 'secret', new Contract())

/** Settles when the sentence is in the API, on the command line and on the page, and `comment` on the host. */
async function expectSaid(
  world: Said,
  number: number,
  { sentence, comment = [] }: { readonly sentence: string; readonly comment?: readonly string[] },
): Promise<void> {
  const { queue } = world
  const client = clientOf(world)
  const asked = { ...main, pr: { number }, includeWhy: true }
  const api = async () =>
    (await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', asked)).why?.sentence
  await expect.poll(api).toBe(sentence)
  const place = `--url ${queue.server.url} --token secret --queue local/acme/shop:main`
  expect(await folder.printed(`why ${number} ${place}`)).toContain(`\n${sentence}\n`)
  const [managed] = [...queue.server.manager.registry.queues]
  const pull = managed?.engine.queue.pullRequests[number]
  if (!managed || !pull) throw new Error(`${number} is not there`)
  const parts = { estimateOf: () => null, hosting: queue.server.hosts }
  expect(views.member.row(managed, pull, parts).why).toBe(sentence)
  for (const words of comment) {
    await expect.poll(() => world.said?.(number).join('\n')).toContain(words)
  }
}

const label = 'merge-queue'

type Host = {
  readonly kind: FakeDialect
  /** How the host calls what Ada may do. */
  readonly right: string
  readonly lacks: string
  readonly objection: string
}

const hosts = {
  GitHub: {
    kind: github,
    right: 'write',
    lacks: '0 of 1 approvals',
    objection: 'changes are requested by ada; 0 of 1 approvals',
  },
  Gitea: {
    kind: gitea,
    right: 'write',
    lacks: '0 of 1 approvals',
    objection: '0 of 1 approvals',
  },
  GitLab: {
    kind: gitlab,
    right: 'developer',
    lacks: '0 of 1 approvals of the rule All Members',
    objection: '0 of 1 approvals of the rule All Members',
  },
} as const satisfies Readonly<Record<string, Host>>

describe.each(['GitHub', 'Gitea', 'GitLab'] as const)('on %s', (host) => {
  const { kind, right, lacks, objection } = hosts[host]
  const { on, worldOf } = playing(kind)
  const worldWith = async () => {
    const world = await worldOf({ set: { concurrency: 2, batch: false } })
    const { state } = world.fake
    await world.repository.set('refs/heads/release', await world.repository.oidOf('main'))
    const open = (number: number, files = { [`${number}.txt`]: '\n' }) =>
      world.open(number, files, { labels: [label] })
    const said = (number: number, sentence: string, comment: readonly string[]) =>
      expectSaid(world, number, { sentence, comment })
    return { world, said, state, open }
  }

  //
  test('who leaves by a change or by request learns what and by whom', on.GitHub, async () => {
    const { world, said, open } = await worldWith()
    for (const number of [1, 2, 3, 4, 5, 6]) await open(number)
    await world.queue.untilState('PENDING', 3, 4, 5, 6)
    world.comment(1, 'bob', '/cancel')
    world.change(2, { labels: [] })
    world.change(3, { state: 'closed' })
    world.change(4, { base: 'release' })
    world.change(5, { isDraft: true })
    await world.push(6, { '6.txt': 'more\n' })
    await said(1, 'Cancelled by @bob (author), by comment.', ['`@bob (author), by comment`'])
    await said(2, 'Cancelled by @ada, by removal of the label.', ['`@ada, by removal of'])
    await said(3, 'It was closed.', ['it was closed'])
    await said(4, 'Its target branch was changed.', ['its target branch was changed'])
    await said(5, 'It became a draft.', ['it became a draft'])
    await said(6, 'Somebody pushed to it.', ['somebody pushed to it'])
    expect(world.fake.faults).toEqual([])
  })

  //
  test('who fails or merges learns which run or which file it was', on.GitHub, async () => {
    const { world, said, open } = await worldWith()
    await open(7, { 'same.txt': '7\n' })
    const seventh = await runInProgress(world.ci)
    await open(8, { 'same.txt': '8\n' })
    const waits = 'It conflicts with #7, and waits until that one merges or leaves'
    await said(8, `${waits}: conflict in same.txt`, ['`conflict in same.txt`'])
    await open(9)
    await said(9, 'Its tests run on top of #7.', ['is being tested'])
    world.ci.finish(seventh, 'success')
    await said(7, 'Its tests passed.', ['has merged'])
    const conflicts = 'It conflicts with the target branch: conflict in same.txt'
    await said(8, conflicts, ['it conflicts with the target branch', '`conflict in same.txt`'])
    world.ci.finish(await runInProgress(world.ci), 'failure')
    await said(9, 'Its tests failed; without it they passed.', [
      ...['`ci` failed', 'run 3](', 'failed with it', 'run 1](', 'passed without it'],
    ])
    expect(world.fake.faults).toEqual([])
  })

  //
  test('who is tested again because of one ahead learns which one', async () => {
    const { world, said, open } = await worldWith()
    await open(1)
    await open(2)
    await world.queue.untilState('TESTING', 1, 2)
    await setState(world, 'PAUSED')
    world.comment(1, 'ada', '/cancel')
    await said(2, 'Waits for a run; the queue is paused. It is tested again: #1 ahead has left.', [
      '#1 ahead has left',
    ])
    expect(world.fake.faults).toEqual([])
  })

  //
  test('who waits or is tested again learns for what', on.GitHub, async () => {
    const { world, said, state, open } = await worldWith()
    const { repository } = world
    await world.open(1, { 'a.txt': '1\n' })
    await repository.commit('refs/heads/main', { 'a.txt': 'main\n' })
    await world.seen()
    world.change(1, { labels: [label] })
    await said(1, 'Not ready: it conflicts with the target branch: conflict in a.txt.', [
      'it conflicts with the target branch',
      '`conflict in a.txt`',
    ])
    await open(2)
    await runInProgress(world.ci)
    await setState(world, 'PAUSED')
    await open(3)
    await said(3, 'Not ready: the queue is paused.', ['the queue is paused'])
    world.comment(2, 'ada', '/retry')
    await said(
      2,
      `Waits for a run; the queue is paused. It is tested again: a restart was requested by @ada (${right}), by comment.`,
      ['a restart was requested', `\`@ada (${right}), by comment\``],
    )
    await setState(world, 'RUNNING')
    await world.queue.untilState('TESTING', 2, 3)
    await setState(world, 'PAUSED')
    await repository.commit('refs/heads/main', { 'b.txt': 'main\n' })
    await world.fake.pushed()
    await said(
      2,
      'Waits for a run; the queue is paused. It is tested again: somebody pushed to the target branch.',
      ['somebody pushed to the target branch'],
    )
    state.rules = { from: 'protection', checks: ['ci'], approvals: 1 }
    await open(4)
    await said(4, `Not ready: the queue is paused, and an approval is missing: ${lacks}.`, [
      'an approval is missing',
      `\`${lacks}\``,
    ])
    const { reviews, head } = world.pull(4)
    world.change(4, { reviews: [{ user: 'ada', state: 'CHANGES_REQUESTED', commit: head }] })
    await said(4, `Not ready: the queue is paused, and an approval is missing: ${objection}.`, [
      `\`${objection}\``,
    ])
    // Withdrawn by who gave it, and taken away by a push.
    for (const commit of [head, 'an earlier one']) {
      world.change(4, { reviews: [] })
      await said(4, `Not ready: the queue is paused, and an approval is missing: ${lacks}.`, [])
      world.change(4, { reviews: [{ user: 'ada', state: 'DISMISSED', commit }] })
      const gone = `${lacks}; the review of ada does not count any more`
      await said(4, `Not ready: the queue is paused, and an approval is missing: ${gone}.`, [
        `\`${gone}\``,
      ])
    }
    expect(reviews).toEqual([])
    expect(world.fake.faults).toEqual([])
  })
})

//
test('in a plain repository each learns why, as on a host', async () => {
  const queue = await hostedWorld({ set: { batch: false } })
  const { repository } = queue
  const said = (number: number, sentence: string) => expectSaid({ queue }, number, { sentence })
  const begin = await repository.oidOf('main')
  const branch = (name: string) => `refs/heads/queue/${name}`
  await repository.commit(branch('breaks'), { 'broken/pay': 'x\n' })
  await said(1, 'Its tests failed.')
  await repository.commit('refs/heads/main', { 'line.txt': 'new\n' })
  await repository.commit(branch('late'), { 'line.txt': 'mine\n' }, begin)
  await said(2, 'Not ready: it conflicts with the target branch: conflict in line.txt.')
  await repository.remove(branch('late'))
  await said(2, 'Its branch was removed.')
  await setState({ queue }, 'PAUSED')
  const head = await repository.commit(branch('by-hand'), { 'pay.txt': 'twice\n' })
  await said(3, 'Not ready: the queue is paused.')
  await repository.mergeByHand(head)
  await said(3, 'Its change came on the branch otherwise.')
  await setState({ queue }, 'RUNNING')
  await repository.commit(branch('merges'), { 'merges.txt': '\n' })
  await said(4, 'Its tests passed.')
  expect(queue.states()).toEqual({ 1: 'FAILED', 2: 'CANCELLED', 3: 'MERGED', 4: 'MERGED' })
})

//
test('every way to leave, to wait and to be tested again has a sentence of its own', () => {
  const registry = new QueueRegistry(silent)
  const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-222222222222'
  const queue = 'github.com/acme/shop:main'
  const commands: RecordedCommand[] = [
    { type: 'createQueue', incarnation, set: {} },
    { type: 'submitPullRequest', number: 1 },
  ]
  for (const [index, command] of commands.entries()) {
    registry.apply({ sequence: index + 1, at: index, queue, command })
  }
  const managed = registry.find(queue)
  const pull = managed?.engine.queue.pullRequests[1]
  if (!managed || !pull) throw new Error('it is not there')
  const home = { in: 'order' } as const
  const ways = pullRequestTransitions.flatMap(({ to, reasons }) =>
    isTerminal(to) || to === 'PENDING' ? reasons.map((reason) => ({ to, reason })) : [],
  )
  const said = new Map<Reason, string>()
  for (const { to: state, reason } of ways) {
    if (reason === null || (state === 'PENDING' && !restartReasons.some((each) => each === reason)))
      continue
    const words = whyOf(managed, { ...pull, state, reason, home })
    const part =
      reason === 'USER_REQUESTED' ? 'by request' : (reasonWords[reason] ?? 'tests passed')
    expect(words.toLowerCase()).toContain(part.toLowerCase())
    said.set(reason, words)
  }
  expect(said.size).toBe(25)
  expect(new Set(said.values()).size).toBe(said.size)
  expect([...said.values()].join()).not.toMatch(/ or an? /)
})
