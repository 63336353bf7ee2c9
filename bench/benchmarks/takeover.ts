/**
 * What a client waits for when something happens to servers that share a PostgreSQL: one is killed, one starts,
 * one stands still while it holds the lock of the log. Each is compared with a figure of the same run.
 */

import { connect } from '../../server/postgres/connect.ts'
import { PostgresLog } from '../../server/postgres/postgres-log.ts'
import { PrivatePostgres } from '../../server/postgres/testing/private-postgres.ts'
import { Client, ProcessUnderTest, executable, numbersFrom, tokenEnvironment } from './served.ts'
import {
  type Benchmark,
  type Figure,
  atMost,
  measured,
  ratioOf,
  spreadOf,
  target,
} from './measurement.ts'

const full = { rounds: 12, known: 500, usual: 40 } as const
const quick = { rounds: 1, known: 5, usual: 4 } as const

/** A session that stands still in a transaction is ended after so long. See `postgres-log.ts`. */
const idleTimeoutMs = 1_000
const nsPerMs = 1e6

/** Milliseconds, one for each round. */
type Found = Record<'usual' | 'killed' | 'stuck' | 'emptyStart' | 'start', number[]>

export const takeover: Benchmark = {
  name: 'takeover',
  title: 'what clients wait for when a server is killed, starts or stands still',
  async measure({ isQuick, progress, signal }) {
    const { rounds, known, usual } = isQuick ? quick : full
    const postgres = await PrivatePostgres.start()
    const [store, empty] = [await postgres.database('store'), await postgres.database('empty')]
    const found: Found = { usual: [], killed: [], stuck: [], emptyStart: [], start: [] }
    let left = await startServer(store)
    try {
      await left.client.call('createQueue', {})
      await left.client.callForEach('submitPullRequest', numbersFrom(1, known))
      let next = known + 1
      const submit = async ({ client }: Started): Promise<void> => {
        await client.call('submitPullRequest', { pr: { number: next++ } })
      }
      for (let round = 1; round <= rounds && !signal.aborted; round++) {
        progress(`round ${round} of ${rounds}`)
        const onEmpty = await startServer(empty)
        found.emptyStart.push(onEmpty.startMs)
        await onEmpty.stop('SIGTERM')
        const right = await startServer(store)
        found.start.push(right.startMs)
        const alone: number[] = []
        for (let each = 0; each < usual; each++) alone.push(await msOf(() => submit(right)))
        found.usual.push(spreadOf(alone).median)
        // The one that is killed has work under way, whose outcome nobody knows then.
        const lost = Promise.allSettled(Array.from({ length: 8 }, () => submit(left)))
        await left.stop('SIGKILL')
        found.killed.push(await msOf(() => submit(right)))
        await lost
        found.stuck.push(await msWhileStuck(store, () => submit(right)))
        left = right
      }
    } finally {
      await left.stop('SIGTERM')
      await postgres.remove()
    }
    return report(found)
  },
}

type Started = {
  readonly client: Client
  readonly startMs: number
  readonly stop: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/** Settles when it has answered its first question about the queues. */
async function startServer(store: string): Promise<Started> {
  const begun = performance.now()
  const args = ['start', '--port', '0', '--store', store]
  const server = await ProcessUnderTest.start({ program: executable, args, env: tokenEnvironment })
  const client = new Client(server.url)
  await client.scrape()
  const startMs = performance.now() - begun
  const stop = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    await server.stop(signal)
    await client.close()
  }
  return { client, startMs, stop }
}

/** The time of `work` while a turn is open that nobody ends: what a stopped server leaves behind. */
async function msWhileStuck(store: string, work: () => Promise<void>): Promise<number> {
  const pool = await connect(store)
  const log = new PostgresLog(pool)
  const { head } = await log.look(0)
  const stuck = await log.begin(head.sequence)
  const ms = await msOf(work)
  await stuck.rollBack()
  await pool.end()
  return ms
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

function report(found: Found): ReturnType<typeof measured> {
  const figure = (name: string, values: readonly number[]): Figure => ({
    ...{ name, unit: 'ns', value: spreadOf(values.map((each) => each * nsPerMs)) },
  })
  const timeout = found.stuck.map(() => idleTimeoutMs)
  return measured({
    figures: [
      figure('an answer, alone', found.usual),
      figure('first answer after kill -9 of the other server', found.killed),
      figure('answer while another session stands still with the lock', found.stuck),
      figure('start on an empty log, until the first answer', found.emptyStart),
      figure('start on the log, until the first answer', found.start),
    ],
    targets: [
      target(
        'first answer after kill -9, in usual answers',
        'times',
        ratioOf(found.killed, found.usual),
        atMost(10),
      ),
      target(
        'start on the log, in starts on an empty one',
        'times',
        ratioOf(found.start, found.emptyStart),
        atMost(2),
      ),
      target(
        'answer while a session stands still, in the timeout of such a session (1 s)',
        'times',
        ratioOf(found.stuck, timeout),
        atMost(2),
      ),
    ],
    notes: ['the killed server has 8 submissions under way; PostgreSQL runs on the same machine'],
  })
}
