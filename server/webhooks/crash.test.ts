import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { dataFolder, makeDataFolder } from '../store/data-folder.ts'
import { recover } from '../store/recover.ts'
import { Client, main } from '../testing/client.ts'
import { childToken, startChild } from '../testing/child-server.ts'
import { Contract } from '../testing/contract.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { receiver } from '../testing/receiver.ts'
import { entries, recorded, silent } from '../testing/recording.ts'
import { temporaryFolder } from '../testing/running.ts'
import { writeEndpoints } from './endpoints.ts'
import { OutboxFile } from './outbox-file.ts'
import { Webhooks } from './webhooks.ts'

const rounds = 6
const submissionsPerRound = 40

test(
  'whatever was acknowledged is told, however often the server is killed',
  { timeout: 120_000 },
  async () => {
    const data = temporaryFolder()
    makeDataFolder(dataFolder(data))
    const { endpoint, received } = await receiver(undefined, { events: ['pull_request.submitted'] })
    await writeEndpoints(dataFolder(data).webhooks, [endpoint])
    const acknowledged: number[] = []
    const told = (): Set<number | undefined> => new Set(received.map(({ number }) => number))

    for (let round = 0; round < rounds; round++) {
      const server = await startChild(data)
      const client = new Client(server.url, childToken, new Contract())
      if (round === 0) await client.ok('createQueue', main)
      // In the midst of what is under way, at another point each time.
      const last = submissionsPerRound - round
      const submissions = Array.from({ length: submissionsPerRound }, async (_, index) => {
        const number = round * submissionsPerRound + index + 1
        await client.ok('submitPullRequest', { ...main, pr: { number } })
        acknowledged.push(number)
        if (index + 1 === last) server.process.kill('SIGKILL')
      })
      await Promise.allSettled(submissions)
      await server.ended
    }
    const server = await startChild(data)
    onTestFinished(async () => {
      server.process.kill('SIGTERM')
      await server.ended
    })

    expect(acknowledged.length).toBeGreaterThan(rounds)
    await expect
      .poll(() => acknowledged.filter((number) => !told().has(number)), { timeout: 60_000 })
      .toEqual([])
  },
)

test('what is only in old segments of the log is told from there', async () => {
  const all = entries()
  const folder = recorded(all, 20, 40)
  const { endpoint, received, untilReceived } = await receiver(undefined, {
    events: ['pull_request.submitted'],
  })
  await writeEndpoints(folder.webhooks, [endpoint])
  // The outbox stands where it stood after 10 entries.
  const outbox = await OutboxFile.open(folder.outbox, (error) => expect(error).toBeNull())
  outbox.add({ line: 'endpoint', endpoint: endpoint.id })
  outbox.add({ line: 'through', sequence: 10 })
  await outbox.close()
  const { register } = await recover(folder, silent)

  const logger = pino({ level: 'silent' })
  const webhooks = await Webhooks.open(folder, register, { logger, timers: new ManualTimers() })
  onTestFinished(() => webhooks.close())

  const submitted = all.flatMap(({ sequence, command }) =>
    sequence > 10 && command.type === 'submitPullRequest' ? [command.number] : [],
  )
  await untilReceived(submitted.length)
  const numbers = received.map(({ number }) => number ?? 0).sort((a, b) => a - b)
  expect(numbers).toEqual(submitted)
})
