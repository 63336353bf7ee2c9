/**
 * A history of several servers on one PostgreSQL, checked from the outside: what was acknowledged is there,
 * no read is older than what was told before, and the order is kept, whatever happens to servers, sessions,
 * network and database. MERGEYARD_HISTORY_ROUNDS sets how often all faults come.
 */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { copyOut } from '../../../server/postgres/copy.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { executable } from '../../benchmarks/served.ts'
import { withPostgres } from '../../../server/postgres/testing/with-postgres.ts'
import { sequenceOf } from '../../../sim/random/draw.ts'
import { faults } from './testing/history/faults.ts'
import { faultsIn } from './testing/history/faults-in.ts'
import { History, queueOf } from './testing/history/clients.ts'
import { foundIn } from './testing/history/found.ts'
import { canMakeMachines, makeMachine, network, removeMachine } from './testing/history/machine.ts'
import { Servers } from './testing/history/servers.ts'

const rounds = Number(process.env['MERGEYARD_HISTORY_ROUNDS'] ?? 1)
const clients = 12
const places = [0, 1, 2]
const repositories = ['shop', 'bank']

const hasMachines = canMakeMachines()

withPostgres(
  (postgres) => {
    test(
      `three servers, twelve clients, ${rounds} times each fault: nothing acknowledged is lost`,
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
          for (const { strike } of faults(hasMachines)) {
            const before = history.acknowledged
            await strike(servers, Math.floor(draw() * servers.count))
            // After each fault the servers must work again, otherwise the next one would test nothing.
            await expect.poll(() => history.acknowledged).toBeGreaterThan(before + 20)
          }
        history.end()
        await load
        const found = (await Promise.all(repositories.map((each) => foundIn(any(), each)))).flat()
        expect(found.length).toBeGreaterThan(50)
        expect(faultsIn(history.calls, found)).toEqual([])
        await servers.stop()

        // The log of all servers, replayed by one alone with every property.
        const data = join(temporaryFolder(), 'data')
        await copyOut(postgres.cluster.urlOf('history'), dataFolder(data))
        for (const each of repositories) {
          const queue = `github.com/acme/${each}:main`
          const replay = [executable, 'sim', '--against', data, '--queue', queue, '--no-report']
          const { status, stdout, stderr } = spawnSync(process.execPath, replay, {
            encoding: 'utf8',
          })
          expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
        }
      },
    )
  },
  hasMachines ? { network } : {},
)
