/** Servers on one PostgreSQL whose queue is on a code host: one of them works there at a time. */

import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { ForgeWorld, placeAt } from '../forge/testing/forge-world.ts'
import { ToyCi } from '../forge/testing/toy-ci.ts'
import { FakeForge } from '../forge/testing/fake-forge.ts'
import { gitea } from './testing/fake-gitea.ts'
import type { HostOptions } from '../hosting/options.ts'
import { HostedWorld } from '../hosting/testing/hosted-world.ts'
import { serverDefaults } from '../server-defaults.ts'
import { withPostgres } from '../postgres/testing/with-postgres.ts'
import { startSharedServer, type SharedServer } from '../shared-server.ts'
import { Client, Contract } from '../testing/client.ts'
import { temporaryFolder } from '../testing/test-server.ts'

const token = 'admin-token-of-a-test'
const ref = { host: 'gitea.example.com', owner: 'acme', name: 'shop', targetBranch: 'main' }
const { targetBranch, ...repo } = ref

withPostgres((postgres) => {
  async function fakeHost(): Promise<ForgeWorld> {
    const fake = new FakeForge(gitea, { folder: temporaryFolder() })
    await fake.state.repository.make()
    await fake.listen()
    onTestFinished(() => fake.close())
    const queue = new HostedWorld({ repository: fake.state.repository })
    return new ForgeWorld({ fake, ci: new ToyCi(fake, ['ci']), queue, log: [] })
  }

  async function start({ fake }: ForgeWorld, store: string, pollMs = 100): Promise<SharedServer> {
    const queue: HostOptions = {
      ref,
      url: `${fake.url}/acme/shop.git`,
      forge: gitea.optionsOf(placeAt(fake.api)),
      tests: { kind: 'host', noCiMinutes: 15 },
      set: { requiredStatuses: ['ci'], mergeMethod: 'merge_commit' },
      pollMs,
    }
    const forge = {
      pace: { isThrottled: false, retryAfterMs: 1 },
      intervals: { gapMs: 0, againMs: 1 },
    }
    const folder = { hosting: [queue], data: join(temporaryFolder(), 'data') }
    const server = await startSharedServer(
      { ...serverDefaults, port: 0, ...folder, token, store },
      { logger: pino({ enabled: false }), onFirstToken: () => undefined, forge },
    )
    onTestFinished(() => server.stop())
    return server
  }

  const clientOf = ({ url }: SharedServer): Client => new Client(url, token, new Contract())

  async function stateOf(server: SharedServer, number: number): Promise<unknown> {
    const asked = { repo, targetBranch, pr: { number } }
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
    const lookedAt = async (): Promise<unknown> => {
      const { json } = await worker.call('getRepositoryStatus', { repo, targetBranch })
      return Reflect.get(Object(json), 'lastLookAt') ?? null
    }
    // It does not look again by itself.
    await expect.poll(lookedAt).not.toBeNull()
    const idle = await start(world, store, anHour)
    world.fake.hooks.target = () => `${idle.url}/hooks/gitea`
    world.fake.hooks.plan = 'once'
    await world.open(7, { 'pay.txt': 'twice\n' }, { labels: ['merge-queue'] })
    await expect.poll(() => stateOf(idle, 7)).toBe('TESTING')
  })

  test('a server that does not work takes submissions, and answers the rest', matrix, async () => {
    const world = await fakeHost()
    const store = await postgres.database()
    await start(world, store)
    await world.seen()
    const idle = clientOf(await start(world, store))
    await world.open(7, { 'pay.txt': 'twice\n' })
    const asked = { repo, targetBranch, pr: { number: 7 } }
    const submitted = await idle.call('submitPullRequest', asked)
    expect(submitted).toMatchObject({ status: 200, json: { prNumber: 7 } })
    const status = await idle.call('getRepositoryStatus', { repo, targetBranch })
    expect(status).toMatchObject({ status: 200, json: { faults: [] } })
    expect((await idle.call('getQueue', { repo, targetBranch })).status).toBe(200)
    expect((await idle.call('reportPush', { repo, targetBranch })).status).toBe(409)
  })
})
