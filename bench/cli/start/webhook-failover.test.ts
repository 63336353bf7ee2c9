/** Webhooks of two servers on one PostgreSQL: the one that delivers is killed, and the other goes on. */

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isPostgresMissing, PrivatePostgres } from '../../../server/postgres/private-postgres.ts'
import { main } from '../../../server/testing/client.ts'
import { accepting, receiver, type Receiver } from '../../../server/testing/receiver.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { Servers } from './testing/history/servers.ts'

const home = new CliFolder()
afterAll(() => home.remove())

const perRound = 30

describe.skipIf(isPostgresMissing())('with a PostgreSQL (apt-get install postgresql)', () => {
  let postgres: PrivatePostgres
  beforeAll(async () => {
    postgres = await PrivatePostgres.start()
  })
  afterAll(() => postgres.remove())

  /** Two servers, and a receiver that one of them knows. */
  async function delivering(
    name: string,
    behavior = accepting,
  ): Promise<{ servers: Servers; there: Receiver }> {
    const store = await postgres.database(name)
    const there = await receiver(behavior)
    const webhook = (...args: readonly string[]) =>
      home.run(['webhook', ...args], { MERGEYARD_STORE: store })
    expect((await webhook('add', there.endpoint.url)).code).toBe(0)
    const servers = await Servers.start(postgres, name, [null, null])
    onTestFinished(() => servers.kill())
    await expect.poll(async () => (await webhook('list')).out, waiting).toContain('  sending  ')
    return { servers, there }
  }

  async function submit(servers: Servers, place: number, from: number): Promise<void> {
    const client = servers.clients[place]
    for (let number = from; number < from + perRound; number++)
      await client?.ok('submitPullRequest', { ...main, pr: { number } })
  }

  test.each([
    ['is killed', 'killed', 'SIGKILL', 'this server delivers the webhooks'],
    ['stands still', 'still', 'SIGSTOP', 'this server does not deliver the webhooks any more'],
  ] as const)(
    'given the sender %s, the other delivers the rest in order and without a gap',
    async (_what, name, signal, words) => {
      // The tenth pull request stops the first sender: what follows it waits in the outbox or in the log.
      let isHeld = true
      const { servers, there } = await delivering(name, (response, { number }) => {
        if (number !== 10 || !isHeld) response.writeHead(204).end()
      })
      await servers.clients[0]?.ok('createQueue', { ...main, state: 'PAUSED' })
      await submit(servers, 0, 1)
      await expect.poll(() => there.messages(), waiting).toContain('submitted 10')
      const sender = await senderOf(servers)
      const other = 1 - sender

      // It happens while the other server takes commands.
      const more = submit(servers, other, 1 + perRound)
      servers.processOf(sender).process.kill(signal)
      isHeld = false
      await more
      await expect.poll(() => there.messages(), waiting).toContain(`submitted ${2 * perRound}`)

      // If it wakes up, it notices that its term is over before it posts anything.
      servers.processOf(sender).process.kill('SIGCONT')
      await expect.poll(() => servers.processOf(sender).log(), waiting).toContain(words)
      const first = firstArrivals(there)
      expect(first).toEqual(first.map((_, place) => 1 + place))
      expect(first).toHaveLength(1 + 2 * perRound)
      expect(there.messages().filter((each) => each === 'submitted 10')).toHaveLength(2)
      expect(await senderOf(servers, [other])).toBe(other)
      // A repeated message has the same id and the same bytes.
      const texts = new Map(there.received.map(({ id, text }) => [id, text]))
      expect(there.received.every(({ id, text }) => texts.get(id) === text)).toBe(true)
      expect(texts.size).toBe(first.length)
    },
  )

  test('given the sender is stopped in order, the other goes on at once and repeats nothing', async () => {
    const { servers, there } = await delivering('stopped')
    await servers.clients[0]?.ok('createQueue', { ...main, state: 'PAUSED' })
    await submit(servers, 0, 1)
    await expect.poll(() => there.messages(), waiting).toContain(`submitted ${perRound}`)
    const sender = await senderOf(servers)
    servers.processOf(sender).process.kill('SIGTERM')
    await servers.processOf(sender).ended
    await submit(servers, 1 - sender, 1 + perRound)
    await expect.poll(() => there.messages(), waiting).toContain(`submitted ${2 * perRound}`)
    expect(sequencesOf(there)).toEqual(there.received.map((_, place) => 1 + place))
  })
})

const waiting = { timeout: 30_000 }

/** The server that says of itself that it delivers; exactly one of them does. */
async function senderOf(servers: Servers, places = [0, 1]): Promise<number> {
  const answers = await Promise.all(
    places.map(async (place) => {
      const answered = await servers.clients[place]?.send('/metrics', { method: 'GET' })
      return /^mergeyard_webhook_sender 1$/m.test(answered?.text ?? '') ? [place] : []
    }),
  )
  const [sender = -1, ...others] = answers.flat()
  expect({ sender, others }).toEqual({ sender: expect.toBeOneOf(places), others: [] })
  return sender
}

function sequencesOf({ received }: Receiver): number[] {
  return received.map(({ text }) => {
    const { sequence }: { readonly sequence: number } = JSON.parse(text)
    return sequence
  })
}

/** The numbers of the messages in the order in which each came for the first time. */
const firstArrivals = (there: Receiver): number[] => [...new Set(sequencesOf(there))]
