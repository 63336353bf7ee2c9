/**
 * Of several servers on one PostgreSQL one works on the repository at a time. Another one goes on when it is
 * killed, stands still or is stopped, and every pull request merges once.
 */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nameOfQueue } from '../../../server/identity/queue-ref.ts'
import { git } from '../../../server/git/git.ts'
import { repositoryIn } from '../../../server/hosting/repository-name.ts'
import { copyOut } from '../../../server/postgres/copy-out.ts'
import { withPostgres } from '../../../server/postgres/testing/with-postgres.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { executable } from '../../benchmarks/served.ts'
import { brokenCommits, landedIn } from '../../stage/proof.ts'
import { SharedWorld, testRunsOf } from './testing/shared-world.ts'

withPostgres((postgres) => {
  async function begin(count: number): Promise<{ world: SharedWorld; store: string }> {
    const store = await postgres.database()
    const world = new SharedWorld(store)
    onTestFinished(() => world.remove())
    await world.begin(count)
    return { world, store }
  }

  /** Pull request 2 fails, and the others are on the branch once, each with commits that pass. */
  async function judge({ shop, folder }: SharedWorld): Promise<void> {
    const landed = await landedIn(shop)
    expect(landed.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual([1, 3])
    const commits = landed.map(({ commit }) => commit)
    expect(await brokenCommits(folder, shop, commits)).toEqual([])
  }

  test('given kill -9 in the middle of the tests, another server goes on', async () => {
    const { world, store } = await begin(2)
    for (const number of [1, 2, 3]) expect(await world.submit(number)).toBe(200)
    const worker = await world.testing()
    worker.process.kill('SIGKILL')
    await world.testing(worker)

    // A server that comes back ends what it has left, although it does not work.
    await world.start(world.servers.indexOf(worker))
    expect(testRunsOf(worker)).toEqual([])
    world.openGate()
    await expect.poll(() => world.states()).toEqual(['MERGED', 'FAILED', 'MERGED'])
    await judge(world)

    const data = join(world.folder, 'copied')
    await copyOut(store, dataFolder(data))
    const queue = nameOfQueue({ ...repositoryIn(world.shop), targetBranch: 'main' })
    const replay = [executable, 'sim', '--against', data, '--queue', queue, '--no-report']
    const { status, stdout, stderr } = spawnSync(process.execPath, replay, { encoding: 'utf8' })
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
  })

  test(
    'given a server that stands still and wakes up, it stops to work, and nothing is done twice',
    { tags: ['matrix'] },
    async () => {
      const { world } = await begin(2)
      for (const number of [1, 2, 3]) expect(await world.submit(number)).toBe(200)
      const worker = await world.testing()
      worker.process.kill('SIGSTOP')
      await world.testing(worker)
      worker.process.kill('SIGCONT')
      await expect.poll(() => testRunsOf(worker)).toEqual([])
      world.openGate()
      await expect.poll(() => world.states()).toEqual(['MERGED', 'FAILED', 'MERGED'])
      await judge(world)
    },
  )

  test(
    'every server answers what only the one that works can know, and waits for the next one if it is killed',
    { tags: ['matrix'] },
    async () => {
      const { world } = await begin(3)
      const worker = await world.worker()
      const others = world.servers.filter((server) => server !== worker)
      const [one, other] = others
      if (!one || !other) throw new Error('three servers have begun')
      await git(['--git-dir', world.shop, 'branch', 'more', 'refs/pull/3/head'])
      const answers = async (operation: string, body: object = {}): Promise<unknown[]> =>
        Promise.all(
          world.servers.map(async (server) => {
            const { status, json } = await world.askOnly(server, operation, body)
            return [status, json]
          }),
        )
      const same = async (status: number, operation: string, body: object, json: object) =>
        expect(await answers(operation, body)).toMatchObject(
          world.servers.map(() => [status, json]),
        )
      const lastLookAt = expect.any(String)
      // The one that works has looked at the repository, soon after its term began.
      await expect
        .poll(() => answers('getRepositoryStatus'))
        .toMatchObject(world.servers.map(() => [200, { lastLookAt }]))
      await same(200, 'getRepositoryStatus', {}, { url: world.shop, lastLookAt, faults: [] })
      await same(200, 'openPullRequest', { branch: 'more' }, { pr: { number: 4 } })
      await same(404, 'submitPullRequest', { pr: { number: 9 } }, {})
      world.openGate()
      const [first, second] = [{ pr: { number: 1 } }, { pr: { number: 2 } }]
      expect((await world.askOnly(one, 'submitPullRequest', first)).status).toBe(200)
      await expect.poll(() => world.states([1])).toEqual(['MERGED'])
      const tested = { pr: { number: 1 }, includeTimeline: true }
      const { text } = await world.askOnly(other, 'getSubmittedPullRequest', tested)
      const testRunId = /"testRunId":"([^"]+)"/u.exec(text)?.[1]
      await same(
        200,
        'getTestRunLog',
        { testRunId },
        { log: expect.stringContaining('passed: the tests pass') },
      )

      worker.process.kill('SIGKILL')
      // The question waits for the server that goes on.
      expect((await world.askOnly(one, 'submitPullRequest', second)).status).toBe(200)
      // The log is lost with the server that has it.
      expect((await world.askOnly(other, 'getTestRunLog', { testRunId })).status).toBe(404)
    },
  )

  test('a server that is stopped gives its term back', { tags: ['matrix'] }, async () => {
    const { world, store } = await begin(1)
    const worker = await world.worker()
    const client = new Client({ connectionString: store })
    await client.connect()
    onTestFinished(() => client.end())
    const terms = async (): Promise<unknown> =>
      (await client.query(`select name, until > 0 as "isHeld" from mergeyard.terms`)).rows
    expect(await terms()).toEqual([{ name: 'hosts', isHeld: true }])
    worker.process.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
    expect(await terms()).toEqual([{ name: 'hosts', isHeld: false }])
  })
})
