import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { dataFolder, makeDataFolder } from '../../../server/store/data-folder.ts'
import { recover } from '../../../server/store/recover.ts'
import { Client, main, Contract } from '../../../server/testing/client.ts'
import { childToken, startChild } from './testing/child-server.ts'
import { ManualTimers } from '../../../server/testing/manual-timers.ts'
import { receiver } from '../../../server/testing/receiver.ts'
import { entries, recorded, silent } from '../../../server/testing/recording.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { writeEndpoints } from '../../../server/webhooks/message.ts'
import { OutboxFile } from '../../../server/webhooks/outbox-file.ts'
import { Webhooks } from '../../../server/webhooks/webhooks.ts'

const rounds = 4
const submissionsPerRound = 40

test('given many kills, each acknowledged submission reaches the webhook', matrix, async () => {
  const data = temporaryFolder()
  makeDataFolder(dataFolder(data))
  const { endpoint, received } = await receiver(undefined, { events: ['pull_request.submitted'] })
  await writeEndpoints(dataFolder(data).webhooks, [endpoint])
  const acknowledged: number[] = []
  const delivered = (): Set<number | undefined> => new Set(received.map(({ number }) => number))

  for (let round = 0; round < rounds; round++) {
    const server = await startChild(data)
    const client = new Client(server.url, childToken, new Contract())
    if (round === 0) await client.ok('createQueue', main)
    // Kill the server while requests are in progress, each round at a different point.
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
  onTestFinished(async () => void (await server.end()))

  expect(acknowledged.length).toBeGreaterThan(rounds)
  await expect.poll(() => acknowledged.filter((number) => !delivered().has(number))).toEqual([])
})

test('messages of old segments of the log reach the webhook', matrix, async () => {
  const all = entries()
  const folder = recorded(all, 20, 40)
  const { endpoint, received, untilReceived } = await receiver(undefined, {
    events: ['pull_request.submitted'],
  })
  await writeEndpoints(folder.webhooks, [endpoint])
  // The outbox has processed only the first 10 entries.
  const outbox = await OutboxFile.open(folder.outbox, (error) => expect(error).toBeNull())
  outbox.add({ line: 'endpoint', endpoint: endpoint.id })
  outbox.add({ line: 'through', sequence: 10 })
  await outbox.close()
  const { registry } = await recover(folder, silent)

  const logger = pino({ level: 'silent' })
  const webhooks = await Webhooks.open(folder, registry, { logger, timers: new ManualTimers() })
  onTestFinished(() => webhooks.close())

  const submitted = all.flatMap(({ sequence, command }) =>
    sequence > 10 && command.type === 'submitPullRequest' ? [command.number] : [],
  )
  await untilReceived(submitted.length)
  const numbers = received.map(({ number }) => number ?? 0).sort((a, b) => a - b)
  expect(numbers).toEqual(submitted)
})
