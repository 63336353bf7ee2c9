/** The checker of histories itself: each kind of fault is seen, and an honest history is not accused. */

import { join } from 'node:path'
import { expect, test, onTestFinished } from 'vitest'
import { History, queueOf, foundIn } from './testing/history/clients.ts'
import type { Call, Found, State } from './testing/history/clients.ts'
import { faultsIn } from './testing/history/faults-in.ts'
import { matrix } from '../../../engine/testing/matrix.ts'
import { copyOut } from '../../../server/postgres/copy.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { withPostgres } from '../../../server/postgres/testing/with-postgres.ts'
import { sequenceOf } from '../../../sim/random/draw.ts'
import {
  faults,
  canMakeMachines,
  makeMachine,
  network,
  removeMachine,
  Servers,
} from './testing/history/faults.ts'

const about = (number: number, sentMs: number, answeredMs: number | null) => ({
  client: 1,
  server: 1,
  repository: 'shop',
  number,
  sentMs,
  answeredMs,
})
const change = (
  number: number,
  leaves: State,
  sentMs: number,
  answeredMs: number | null,
): Call => ({
  ...about(number, sentMs, answeredMs),
  kind: 'change',
  leaves,
})
const read = (number: number, shown: State | null, sentMs: number, answeredMs: number): Call => ({
  ...about(number, sentMs, answeredMs),
  kind: 'read',
  shown,
})
const found = (number: number, state: State): Found => ({ repository: 'shop', number, state })

test('given a story of two pull requests in which all is well, finds nothing', () => {
  const calls = [
    change(1, 'WAITING', 0, 10),
    change(2, 'WAITING', 20, 30),
    read(1, 'WAITING', 31, 40),
    change(1, 'MERGED', 50, 60),
    read(1, 'MERGED', 61, 70),
  ]
  expect(faultsIn(calls, [found(1, 'MERGED'), found(2, 'WAITING')])).toEqual([])
})

test('given a change that nobody answered, either end is well', () => {
  const calls = [change(1, 'WAITING', 0, null)]
  expect(faultsIn(calls, [])).toEqual([])
  expect(faultsIn(calls, [found(1, 'WAITING')])).toEqual([])
})

test('given calls that overlap, a read may show either state', () => {
  const calls = [
    change(1, 'WAITING', 0, 10),
    change(1, 'MERGED', 20, 40),
    read(1, 'WAITING', 30, 50),
  ]
  expect(faultsIn(calls, [found(1, 'MERGED')])).toEqual([])
})

test.each<[string, Call[], Found[], string]>([
  [
    'an acknowledged submission that is gone',
    [change(1, 'WAITING', 0, 10)],
    [],
    'shop 1: change WAITING was acknowledged by server 1 at 0 ms, at the end null',
  ],
  [
    'an acknowledged verdict that is undone',
    [change(1, 'WAITING', 0, 10), change(1, 'FAILED', 20, 30)],
    [found(1, 'WAITING')],
    'shop 1: change FAILED was acknowledged by server 1 at 20 ms, at the end WAITING',
  ],
  [
    'a read that misses what was acknowledged before',
    [change(1, 'WAITING', 0, 10), read(1, null, 11, 20)],
    [found(1, 'WAITING')],
    'shop 1: server 1 at 11 ms showed null after server 1 at 0 ms said change WAITING',
  ],
  [
    'a read that misses what another read has shown',
    [change(1, 'WAITING', 0, null), read(1, 'WAITING', 5, 10), read(1, null, 11, 20)],
    [],
    'shop 1: server 1 at 11 ms showed null after server 1 at 5 ms said read WAITING',
  ],
  [
    'a pull request that nobody submitted',
    [],
    [found(3, 'WAITING')],
    'shop 3: nobody submitted it',
  ],
  [
    'a later submission before an earlier one',
    [change(1, 'WAITING', 0, 10), change(2, 'WAITING', 20, 30)],
    [found(2, 'WAITING'), found(1, 'WAITING')],
    'shop 2 is before shop 1, which was acknowledged before it was sent',
  ],
])('sees %s', (_, calls, end, fault) => {
  expect(faultsIn(calls, end)).toContain(fault)
})

// A history of several servers on one PostgreSQL, checked from the outside: what was acknowledged is there,
// no read is older than what was told before, and the order is kept, whatever happens to servers, sessions,
// network and database. MERGEYARD_HISTORY_ROUNDS sets how often all faults come.

const rounds = Number(process.env['MERGEYARD_HISTORY_ROUNDS'] ?? 1)
const clients = 12
const places = [0, 1, 2]
const repositories = ['shop', 'bank']

const hasMachines = canMakeMachines()

withPostgres(
  (postgres) => {
    test(
      `of three servers, ${rounds} times each fault: nothing acknowledged is lost`,
      matrix,
      async () => {
        await postgres.cluster.database('history')
        const machines = places.map((place) => (hasMachines ? makeMachine(place) : null))
        onTestFinished(() => {
          for (const machine of machines) if (machine) removeMachine(machine)
        })
        const servers = await Servers.start(postgres.cluster, 'history', machines)
        onTestFinished(() => servers.kill())
        const draw = sequenceOf(1, 'history of servers')
        const any = (): (typeof servers.clients)[number] => {
          const [client] = servers.clients
          if (!client) throw new Error('no server')
          return client
        }
        for (const each of repositories)
          await any().ok('createQueue', { ...queueOf(each), concurrency: 1 })
        const history = new History(repositories, () => servers.clients, draw)
        const load = history.load(clients)
        for (let round = 0; round < rounds; round++)
          for (const strike of faults(hasMachines)) {
            const before = history.acknowledged
            await strike(servers, Math.floor(draw() * servers.count))
            // After each fault the servers must work again, otherwise the next one would test nothing.
            await expect.poll(() => history.acknowledged).toBeGreaterThan(before + 20)
          }
        history.end()
        await load
        const all = (await Promise.all(repositories.map((each) => foundIn(any(), each)))).flat()
        expect(all.length).toBeGreaterThan(50)
        expect(faultsIn(history.calls, all)).toEqual([])
        await servers.stop()

        // The log of all servers, replayed by one alone with every property.
        const data = join(temporaryFolder(), 'data')
        await copyOut(postgres.cluster.urlOf('history'), dataFolder(data))
        for (const each of repositories) {
          const queue = `github.com/acme/${each}:main`
          await new CliFolder().printed(`sim --against '${data}' --queue ${queue} --no-report`)
        }
      },
    )
  },
  hasMachines ? { network } : {},
)
