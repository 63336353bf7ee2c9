/** A PostgreSQL that cannot be used is bad input for every command that is given one: one line, and exit code 2. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { connect } from '../../../server/postgres/connect.ts'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { makeLockedRole, withPostgres } from '../../../server/postgres/testing/with-postgres.ts'
import { closeFarm, openFarm } from '../../over/farm.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')

beforeAll(() => makeRepository(shop, [{ number: 1 }]))

type Command = readonly [name: string, argumentsWith: (url: string) => readonly string[]]

const ofStores: readonly Command[] = [
  ['start', (url) => ['--port', '0', '--store', url]],
  ['serve', (url) => ['--repo', shop, '--test', 'node test.mjs', '--port', '0', '--store', url]],
  ['copy', (url) => [url, join(home.path, 'copied')]],
  ['token', (url) => ['list', '--store', url]],
  ['webhook', (url) => ['list', '--store', url]],
]

const ofCampaigns: readonly Command[] = [
  ['worker', (url) => [url]],
  ['sim', (url) => ['--seeds', '2', '--no-report', '--over', url]],
]

/** Each command refuses this address in one line with these words, which does not show the password. */
async function expectRefusals(
  commands: readonly Command[],
  url: string,
  words: RegExp,
): Promise<void> {
  const answers = commands.map(async ([name, argumentsWith]) => {
    const { code, out, err } = await home.run([name, ...argumentsWith(url)])
    // On a machine without bubblewrap serve says so before.
    const lines = err.split('\n').filter((line) => !/^$|bubblewrap/.test(line))
    return { name, code, out, lines, isSecretShown: err.includes('open-sesame') }
  })
  const refusal = { code: 2, out: '', lines: [expect.stringMatching(words)], isSecretShown: false }
  expect(await Promise.all(answers)).toEqual(commands.map(([name]) => ({ name, ...refusal })))
}

const all = [...ofStores, ...ofCampaigns]

withPostgres((postgres) => {
  const asked = async (url: string, ...statements: readonly string[]): Promise<void> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  describe('every command refuses', () => {
    test('an address at which nobody listens', async () => {
      const port = await freePort()
      await expectRefusals(all, `postgres://me:open-sesame@127.0.0.1:${port}/x`, /ECONNREFUSED/)
      // A percent sign need not be written as %25.
      await expectRefusals(all, `postgres://me:open-sesame%@127.0.0.1:${port}/x`, /ECONNREFUSED/)
    })

    test('an address that is none', async () => {
      const words = /an address such as/
      await expectRefusals(all, 'postgres://me:open-sesame@:99999/x', words)
      // By its first letters copy tells an address from a folder.
      const others = all.filter(([name]) => name !== 'copy')
      for (const url of ['mysql://me:open-sesame@db/x', 'open-sesame'])
        await expectRefusals(others, url, words)
    })

    test('a replica, also if its tables are there', matrix, async () => {
      const store = await postgres.database()
      await (await connect(store)).end()
      await closeFarm(await openFarm(store, 'test'))
      const standby = await postgres.cluster.standby()
      onTestFinished(() => standby.remove())
      const url = standby.urlOf(new URL(store).pathname.slice(1))
      await expectRefusals(all, url, /replica/)
    })

    test('a wrong password, and none', async () => {
      await makeLockedRole(postgres.cluster)
      const at = `127.0.0.1:${postgres.cluster.port}/postgres`
      const wrong = `postgres://locked:no-open-sesame@${at}`
      await expectRefusals(all, wrong, /password authentication failed for user "locked"/)
      await expectRefusals(
        all,
        `postgres://locked@${at}`,
        /asks for a password, and none was given/,
      )
    })

    test('tables of another version', async () => {
      const store = await postgres.database()
      await (await connect(store)).end()
      await asked(store, 'update mergeyard.version set step = 99')
      await expectRefusals(ofStores, store, /tables are of version 99.* start a newer version/)
      await closeFarm(await openFarm(store, 'test'))
      await asked(store, 'update mergeyard_farm.version set version = 99')
      await expectRefusals(ofCampaigns, store, /expected tables of version \d+ .* got version 99/)
    })
  })

  test.each([
    ['off', /synchronous_commit is off, so a crash can lose/],
    ['local', /synchronous_commit is local, so a failover can lose/],
  ])('a store with synchronous_commit = %s is refused', matrix, async (setting, words) => {
    const store = await postgres.database()
    const name = new URL(store).pathname.slice(1)
    await postgres.cluster.query(`alter database ${name} set synchronous_commit = ${setting}`)
    await expectRefusals(ofStores, store, words)
  })

  test.each(['fsync', 'full_page_writes'])(
    'given no %s, a store is refused',
    matrix,
    async (setting) => {
      const { cluster } = postgres
      const store = await postgres.database()
      const become = async (value: string): Promise<void> => {
        await cluster.query(`alter system set ${setting} = ${value}`)
        await cluster.query('select pg_reload_conf()')
        await expect.poll(() => cluster.query(`show ${setting}`)).toEqual([{ [setting]: value }])
      }
      await become('off')
      onTestFinished(() => become('on'))
      await expectRefusals(ofStores, store, /so a crash can damage the data/)
    },
  )
})

test('an address that does not answer is told by every command', matrix, async () => {
  const port = await freePort()
  const mute = createServer().listen(port, '127.0.0.1')
  await once(mute, 'listening')
  onTestFinished(() => void mute.close())
  await expectRefusals(all, `postgres://me:open-sesame@127.0.0.1:${port}/x`, /it does not answer/)
})
