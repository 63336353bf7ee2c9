/** Stories on the fake Gitea: those of every host, and those about the mark of a merge. */

import { join } from 'node:path'
import { expect, test, onTestFinished } from 'vitest'
import { pino } from 'pino'
import { matrix } from '../../engine/testing/matrix.ts'
import { judged } from '../code-host/testing/acts.ts'
import { codeHostContract } from '../code-host/testing/code-host-contract.ts'
import { requestContract } from '../code-host/testing/request-contract.ts'
import { trustContract } from '../code-host/testing/trust-contract.ts'
import { requestOrders } from '../code-host/testing/request-orders.ts'
import { giteaClient, rulesOf } from './gitea-api.ts'
import { gitea, giteaToken, giteaWorld } from './testing/fake-gitea.ts'
import { CodeHostWorld, pay, placeAt } from '../code-host/testing/code-host-world.ts'
import { ToyCi } from '../code-host/testing/toy-ci.ts'
import { FakeCodeHost } from '../code-host/testing/fake-code-host.ts'
import type { HostOptions } from '../hosting/options.ts'
import { HostedWorld } from '../hosting/testing/hosted-world.ts'
import { serverDefaults } from '../server-defaults.ts'
import { withPostgres } from '../postgres/testing/with-postgres.ts'
import { startSharedServer, type SharedServer } from '../shared-server.ts'
import { Client, Contract } from '../testing/client.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

const repo = '/repos/{owner}/{repo}'
const mark = `POST ${repo}/pulls/{index}/merge`

//
codeHostContract(gitea)

//
trustContract(gitea)

//
requestOrders(gitea)

//
requestContract(gitea)

//
test.each(['merge_commit', 'squash', 'rebase'] as const)(
  'with %s a batch lands as one push, and each is marked with its commit',
  matrix,
  async (mergeMethod) => {
    const set = { mergeMethod, batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5 }
    const world = await giteaWorld({ set, isAutomatic: true })
    await world.ask(1, { 'a.txt': '1\n' })
    await world.ask(2, { 'b.txt': '2\n' })
    await expect.poll(() => world.pull(2).mergedAt).not.toBe(null)
    const log = await world.repository.git(['log', '--first-parent', '--format=%H', '-2', 'main'])
    const [second, first] = log.split('\n')
    expect([world.pull(1).mergeCommit, world.pull(2).mergeCommit]).toEqual([first, second])
    expect(await world.repository.landed()).toEqual(['1', '2'])
  },
)

//
test('given a rebase of a commit from 1970, it is marked', async () => {
  const world = await giteaWorld({ set: { mergeMethod: 'rebase' }, isAutomatic: true })
  const { branch } = await world.open(1)
  const who = 'A <a@example.com> 0 +0000'
  const file = 'from refs/heads/main^0\nM 100644 inline pay.txt\ndata 5\nonce\n'
  const commit = `commit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\ndata 3\nPay\n${file}`
  await world.repository.git(['fast-import', '--quiet', '--force'], commit)
  await world.fake.pushed()
  world.label(1)
  await expect.poll(() => world.pull(1).mergedAt).not.toBe(null)
})

//
test('given the host does not allow the mark, the merge stands, and the log says what to set', async () => {
  const world = await giteaWorld({ isAutomatic: true })
  world.fake.state.methods.manual = false
  await world.ask(7)
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.log.join('')).toContain('allow it in the settings')
  expect(world.pull(7).state).toBe('open')
  await world.seen()
  const marks = world.fake.requests.filter(({ name }) => name === mark)
  expect(marks).toHaveLength(1)
})

//
test('given a push behind the merge, it stays open, and what has merged is told once', async () => {
  const world = await giteaWorld({ isAutomatic: true })
  const { head } = await world.ask(7)
  world.fake.before.push({ name: mark, act: () => world.push(7, { 'more.txt': 'more\n' }) })
  world.fake.instead.push({ name: mark, answer: { status: 502, body: { message: 'away' } } })
  await world.queue.untilState('MERGED', 7)
  await expect.poll(() => world.said(7)).toEqual([expect.stringContaining('has merged')])
  await world.seen()
  await world.seen()
  const told = world.fake.state.statuses.filter(
    ({ sha, state }) => sha === head && state === 'success',
  )
  expect([world.pull(7).state, told.length]).toEqual(['open', 1])
})

//
test('what protects a branch is read of that one, whatever is in its name', async () => {
  const { fake } = await giteaWorld()
  const options = { kind: 'gitea', ...placeAt(fake.api), token: () => giteaToken } as const
  const rules = await rulesOf(giteaClient(options), '100%-of-release#2')
  expect(rules.branch.name).toBe('100%-of-release#2')
})

//
test('a CI that tests no commit twice is named, and nobody fails', async () => {
  const world = await giteaWorld({ tests: { kind: 'host', noCiMinutes: 0 } })
  const { fake, repository } = world
  fake.followers.length = 0
  const testedAnHourAgo = async (): Promise<void> => {
    const format = '--format=%(objectname)'
    const sha = await repository.git(['for-each-ref', format, 'refs/heads/mergeyard'])
    const createdAt = fake.state.now() - 3_600_000
    judged(fake.state, { sha, context: 'ci', state: 'failure', by: 'ci', createdAt })
  }
  fake.before.push({ name: gitea.ci, act: testedAnHourAgo })
  await world.ask(7)
  await world.queue.until(() => world.queue.queue().state === 'PAUSED')
  const words = /no CI has begun on mergeyard.*, whose checks are of an earlier run on the same/
  expect(world.queue.host().status().faults.join()).toMatch(words)
  expect(world.queue.moves(7).join()).not.toContain('FAILED')
})

//
test('a merge is marked before any comment is written, again until it is done, and after a restart', async () => {
  const world = await giteaWorld({ isAutomatic: true })
  const badGateway = { status: 502, body: { message: 'Bad Gateway' } }
  const write = `POST ${repo}/issues/{index}/comments`
  const usual = world.fake.routes[write]
  world.fake.routes[write] = () => badGateway
  world.fake.instead.push({ name: mark, answer: badGateway }, { name: mark, answer: badGateway })
  await world.ask(7)
  await expect.poll(() => world.pull(7).mergedAt).not.toBe(null)
  world.fake.instead.push(...Array.from({ length: 50 }, () => ({ name: mark, answer: badGateway })))
  await world.ask(8, { 'ship.txt': 'once\n' })
  await world.queue.untilState('MERGED', 8)
  await world.queue.stop()
  expect(world.pull(8).state).toBe('open')
  world.fake.instead.length = 0
  await world.queue.start()
  await expect.poll(() => world.pull(8).mergedAt).not.toBe(null)
  expect([...world.said(7), ...world.said(8)]).toEqual([])
  if (usual) world.fake.routes[write] = usual
  await expect.poll(() => world.said(8)).toEqual([expect.stringContaining('has merged')])
})

//
test('a change that is on the branch already is marked with the tip', matrix, async () => {
  const world = await giteaWorld({ isAutomatic: true, set: { state: 'PAUSED' } })
  await world.ask(7)
  await world.queue.untilState('NOT_READY', 7)
  const tip = await world.repository.commit('refs/heads/main', pay)
  world.queue.send({ type: 'updateQueue', set: { state: 'RUNNING' } })
  await world.queue.untilState('MERGED', 7)
  expect(world.queue.reasonOf(7)).toBe('MANUAL_MERGE')
  await expect.poll(() => world.pull(7).mergeCommit).toBe(tip)
})

test('somebody who may write is unknown to an account that does not administer the repository', async () => {
  const world = await giteaWorld()
  await world.open(7)
  await world.seen()
  world.fake.state.permissions.admin = false
  world.comment(7, 'ada', '/merge')
  await expect.poll(() => world.queue.host().status().faults.join()).toContain('403')
  expect(world.queue.states()).toEqual({})
})

//
test('given a pull request that is opened and asked for while the server reads the host, the comment counts', async () => {
  const world = await giteaWorld()
  await world.seen()
  // The list of pull requests is read, and that of comments is not yet.
  world.fake.before.push({
    name: `GET ${repo}/issues/comments`,
    act: async () => {
      await world.open(7)
      world.comment(7, 'ada', '/merge')
    },
  })
  await world.queue.untilState('TESTING', 7)
  expect(world.queue.askedBy(7)).toContain('@ada')
})

//
test('given a timeline that does not have the push yet, the label is no request for what was pushed', async () => {
  const world = await giteaWorld()
  const { routes } = world.fake
  await world.ask(7)
  await world.queue.untilState('TESTING', 7)
  const timeline = `GET ${repo}/issues/{index}/timeline`
  const route = routes[timeline]
  if (!route) throw new Error('the fake has no such operation')
  routes[timeline] = async (state, call) => {
    const { body, ...answer } = await route(state, call)
    const all: unknown[] = Array.isArray(body) ? body : []
    return {
      ...answer,
      body: all.filter((each) => !JSON.stringify(each).includes(String.raw`is_force_push\":true`)),
    }
  }
  await world.push(7, { 'pay.txt': 'never\n' })
  await world.queue.untilState('CANCELLED', 7)
  await expect.poll(() => world.pull(7).labels).toEqual([])
  expect(world.queue.states()).toEqual({ 7: 'CANCELLED' })
  routes[timeline] = route
  world.label(7)
  await world.queue.untilState('TESTING', 7)
})

// Servers on one PostgreSQL whose queue is on a code host: one of them works there at a time.

const token = 'admin-token-of-a-test'
const ref = { host: 'gitea.example.com', owner: 'acme', name: 'shop', targetBranch: 'main' }
const { targetBranch, ...repoOnWire } = ref

withPostgres((postgres) => {
  async function fakeHost(): Promise<CodeHostWorld> {
    const fake = new FakeCodeHost(gitea, { folder: temporaryFolder() })
    await fake.state.repository.make()
    await fake.listen()
    onTestFinished(() => fake.close())
    const queue = new HostedWorld({ repository: fake.state.repository })
    return new CodeHostWorld({ fake, ci: new ToyCi(fake, ['ci']), queue })
  }

  async function start(
    { fake }: CodeHostWorld,
    store: string,
    pollMs = 100,
  ): Promise<SharedServer> {
    const queue: HostOptions = {
      ref,
      url: `${fake.url}/acme/shop.git`,
      codeHost: gitea.optionsOf(placeAt(fake.api)),
      tests: { kind: 'host', noCiMinutes: 15 },
      set: { requiredStatuses: ['ci'], mergeMethod: 'merge_commit' },
      pollMs,
    }
    const codeHost = {
      pace: { isThrottled: false, retryAfterMs: 1 },
      intervals: { gapMs: 0, againMs: 1 },
    }
    const folder = { hosting: [queue], data: join(temporaryFolder(), 'data') }
    const server = await startSharedServer(
      { ...serverDefaults, port: 0, ...folder, token, store },
      { logger: pino({ enabled: false }), onFirstToken: () => undefined, codeHost },
    )
    onTestFinished(() => server.stop())
    return server
  }

  const clientOf = ({ url }: SharedServer): Client => new Client(url, token, new Contract())

  async function stateOf(server: SharedServer, number: number): Promise<unknown> {
    const asked = { repo: repoOnWire, targetBranch, pr: { number } }
    const { json } = await clientOf(server).call('getSubmittedPullRequest', asked)
    return Reflect.get(Object(json), 'state')
  }

  test('what people asked for counts once, also when another server goes on', matrix, async () => {
    const world = await fakeHost()
    const store = await postgres.database()
    const one = await start(world, store)
    await world.seen()
    const other = await start(world, store)
    await world.open(7, { 'pay.txt': 'twice\n' })
    await world.open(8, { 'ship.txt': 'once\n' })
    world.comment(7, 'ada', '/merge')
    await expect.poll(() => stateOf(other, 7)).toBe('TESTING')
    world.comment(7, 'ada', '/cancel')
    await expect.poll(() => stateOf(other, 7)).toBe('CANCELLED')
    await world.seen()

    await one.stop()
    // Its folder is empty: it knows only what is in the database, and on the host.
    world.comment(8, 'ada', '/merge')
    await expect.poll(() => stateOf(other, 8)).toBe('TESTING')
    expect(await stateOf(other, 7)).toBe('CANCELLED')
    expect(world.fake.faults).toEqual([])
  })

  test('a webhook that reaches another server is passed on', matrix, async () => {
    const world = await fakeHost()
    const store = await postgres.database()
    const anHour = 3_600_000
    const worker = clientOf(await start(world, store, anHour))
    const polledRefs = async (): Promise<unknown> => {
      const { json } = await worker.call('getRepositoryStatus', { repo: repoOnWire, targetBranch })
      return Reflect.get(Object(json), 'lastLookAt') ?? null
    }
    // It does not look again by itself.
    await expect.poll(polledRefs).not.toBeNull()
    const idle = await start(world, store, anHour)
    world.fake.hooks.target = () => `${idle.url}/hooks/gitea`
    world.fake.hooks.plan = 'once'
    await world.ask(7)
    await expect.poll(() => stateOf(idle, 7)).toBe('TESTING')
  })
})
