/** Two server processes in PID namespaces of their own, like two containers on one volume. */

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { expect, test, onTestFinished } from 'vitest'
import { staleAfterMs } from '../../../server/files/lock.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { main } from '../../../server/testing/client.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { clientOf, startChild, startUnder, type ChildServer } from '../testing/program.ts'
import { matrix } from '../../../engine/testing/matrix.ts'
import { withPostgres } from '../../../server/postgres/testing/with-postgres.ts'
import { accepting, receiver, type Receiver } from '../../../server/testing/receiver.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { Servers } from './testing/history/faults.ts'

const isolated = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const [program = '', ...options] = isolated
const isPermitted = spawnSync(program, [...options, 'true']).status === 0
const container = [...isolated, process.execPath]

/** The server itself; its parent is the program that isolates it. */
function childOf({ process: { pid } }: ChildServer): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

//
test.runIf(isPermitted)(
  'given a server in another PID namespace (needs unshare), a second one refuses, and after a takeover only one is acknowledged',
  async () => {
    const data = temporaryFolder()
    const first = await startUnder(container, data)
    await clientOf(first).ok('createQueue', main)
    await expect(startUnder(container, data)).rejects.toThrow('which cannot be seen from here')
    await expect(startChild(data)).rejects.toThrow('which cannot be seen from here')

    // The first hangs for a while, so that its lock is not refreshed.
    const hanging = childOf(first)
    process.kill(hanging, 'SIGSTOP')
    const then = (statSync(dataFolder(data).lock).mtimeMs - 2 * staleAfterMs) / 1_000
    utimesSync(dataFolder(data).lock, then, then)
    const second = await startUnder(container, data)
    const submit = (server: ChildServer, number: number): Promise<unknown> =>
      clientOf(server).ok('submitPullRequest', { ...main, pr: { number } })
    process.kill(hanging, 'SIGCONT')
    // Either an answer or, if the server has stopped by now, a refused connection.
    await expect(submit(first, 1)).rejects.toBeInstanceOf(Error)
    await submit(second, 2)
    expect(await first.ended).toBe(1)
    expect(first.log()).toContain('another server works on the data folder')
    await second.end('SIGKILL')

    utimesSync(dataFolder(data).lock, then, then)
    const third = await startChild(data)
    await clientOf(third).ok('getSubmittedPullRequest', { ...main, pr: { number: 2 } })
    const lost = clientOf(third).ok('getSubmittedPullRequest', { ...main, pr: { number: 1 } })
    await expect(lost).rejects.toThrow('was never submitted')
    expect(await third.end()).toBe(0)
  },
)

// Webhooks of two servers on one PostgreSQL: the one that delivers is killed, and the other goes on.

const home = new CliFolder()

const perRound = 30

withPostgres((postgres) => {
  /** Two servers, and a receiver that one of them knows. */
  async function delivering(
    name: string,
    behavior = accepting,
  ): Promise<{ servers: Servers; there: Receiver }> {
    const store = await postgres.cluster.database(name)
    const there = await receiver(behavior)
    const env = { MERGEYARD_STORE: store }
    await home.run(`webhook add ${there.endpoint.url}`, { env })
    const servers = await Servers.start(postgres.cluster, name, [null, null])
    onTestFinished(() => servers.kill())
    await expect.poll(() => home.printed('webhook list', env)).toContain('  sending  ')
    return { servers, there }
  }

  async function submit(servers: Servers, place: number, from: number): Promise<void> {
    const client = servers.clients[place]
    for (let number = from; number < from + perRound; number++)
      await client?.ok('submitPullRequest', { ...main, pr: { number } })
  }

  //
  for (const [what, name, signal, words] of [
    ['is killed', 'killed', 'SIGKILL', 'this server delivers the webhooks'],
    ['is suspended', 'still', 'SIGSTOP', 'this server does not deliver the webhooks any more'],
  ] as const) {
    const tags = signal === 'SIGKILL' ? [] : ['matrix']
    test(`given the sender ${what}, the other delivers the rest in order`, { tags }, async () => {
      // The tenth pull request stops the first sender: what follows it waits in the outbox or in the log.
      let isHeld = true
      const { servers, there } = await delivering(name, (response, { number }) => {
        if (number !== 10 || !isHeld) response.writeHead(204).end()
      })
      await servers.clients[0]?.ok('createQueue', { ...main, state: 'PAUSED' })
      await submit(servers, 0, 1)
      await expect.poll(() => there.messages()).toContain('submitted 10')
      const sender = await senderOf(servers)
      const other = 1 - sender

      // It happens while the other server takes commands.
      const more = submit(servers, other, 1 + perRound)
      servers.processOf(sender).process.kill(signal)
      isHeld = false
      await more
      await expect.poll(() => there.messages()).toContain(`submitted ${2 * perRound}`)

      // If it wakes up, it notices that its term is over before it posts anything.
      servers.processOf(sender).process.kill('SIGCONT')
      await expect.poll(() => servers.processOf(sender).log()).toContain(words)
      const first = firstArrivals(there)
      expect(first).toEqual(first.map((_, place) => 1 + place))
      expect(first).toHaveLength(1 + 2 * perRound)
      expect(there.messages().filter((each) => each === 'submitted 10')).toHaveLength(2)
      expect(await senderOf(servers)).toBe(other)
      // A repeated message has the same id and the same bytes.
      const texts = new Map(there.received.map(({ id, text }) => [id, text]))
      expect(there.received.every(({ id, text }) => texts.get(id) === text)).toBe(true)
      expect(texts.size).toBe(first.length)
    })
  }

  test('when the sender is stopped in order, the other repeats nothing', matrix, async () => {
    const { servers, there } = await delivering('stopped')
    await servers.clients[0]?.ok('createQueue', { ...main, state: 'PAUSED' })
    await submit(servers, 0, 1)
    await expect.poll(() => there.messages()).toContain(`submitted ${perRound}`)
    const sender = await senderOf(servers)
    await servers.processOf(sender).end()
    await submit(servers, 1 - sender, 1 + perRound)
    await expect.poll(() => there.messages()).toContain(`submitted ${2 * perRound}`)
    expect(sequencesOf(there)).toEqual(there.received.map((_, place) => 1 + place))
  })
})

/** What each server says of itself: 1 if it delivers; nothing if there are no webhooks. */
async function sendersIn(servers: Servers): Promise<(readonly [place: number, says: string])[]> {
  const answers = servers.clients.map(async (client, place) => {
    const answered = await client.send('/metrics', { method: 'GET' }).catch(() => null)
    const says = /^mergeyard_webhook_sender (\d)$/m.exec(answered?.text ?? '')?.[1]
    return says === undefined ? [] : [[place, says] as const]
  })
  return (await Promise.all(answers)).flat()
}

/** The server that delivers; exactly one of them does. */
async function senderOf(servers: Servers): Promise<number> {
  const [sender, ...others] = (await sendersIn(servers)).filter(([, says]) => says === '1')
  expect(others).toEqual([])
  return sender?.[0] ?? -1
}

function sequencesOf({ received }: Receiver): number[] {
  return received.map(({ text }) => {
    const { sequence }: { readonly sequence: number } = JSON.parse(text)
    return sequence
  })
}

/** The numbers of the messages in the order in which each came for the first time. */
const firstArrivals = (there: Receiver): number[] => [...new Set(sequencesOf(there))]
