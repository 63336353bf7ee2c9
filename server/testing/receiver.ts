/** A receiver of webhooks, in tests: an HTTP server that records the messages it receives. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { pino } from 'pino'
import { makeEndpoint, type Endpoint, writeEndpoints } from '../webhooks/message.ts'
import type { WebhookEventType } from '../notices/queue-notices.ts'
import type { RecordedCommand } from '../../engine/index.ts'
import { dataFolder, makeDataFolder, type DataFolder } from '../store/data-folder.ts'
import { readOutbox } from '../webhooks/outbox.ts'
import { Webhooks, type WebhookPorts } from '../webhooks/webhooks.ts'
import { appliedOf } from '../queues/publisher.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { listening } from './listening.ts'
import { ManualTimers } from './manual-timers.ts'
import { silent as noWakes } from './recording.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

type Received = {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly type: string
  readonly number: number | undefined
}

export type Receiver = {
  readonly endpoint: Endpoint
  readonly received: readonly Received[]
  /** The messages as `merged 1`, in order of arrival. */
  readonly messages: () => string[]
  /** Settles when at least this many messages have arrived. */
  readonly untilReceived: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

export type ReceiverBehavior = (response: ServerResponse, received: Received) => void

export const accepting: ReceiverBehavior = (response) => void response.writeHead(204).end()
export const failing: ReceiverBehavior = (response) => void response.writeHead(500).end('no')
/** Never responds. */
export const silent: ReceiverBehavior = () => undefined

export type ReceiverOptions = {
  readonly port?: number
  readonly events?: readonly WebhookEventType[] | null
}

/** Starts a receiver; it stops when the test ends. */
export async function receiver(
  behavior: ReceiverBehavior = accepting,
  { port = 0, events = null }: ReceiverOptions = {},
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const message = receivedFrom(request.headers, Buffer.concat(chunks).toString('utf8'))
      received.push(message)
      behavior(response, message)
    })
  })
  const bound = await listening(server, port)
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    endpoint: makeEndpoint(`http://127.0.0.1:${bound}/hook`, events, new Date()),
    received,
    messages: () => received.map(briefly),
    untilReceived: async (count) => {
      await expect.poll(() => received.length).toBeGreaterThanOrEqual(count)
    },
    close,
  }
}

function briefly({ type, number }: Received): string {
  return `${type.replace('pull_request.', '')} ${number ?? ''}`.trim()
}

function receivedFrom(headers: IncomingHttpHeaders, text: string): Received {
  const body: { readonly type: string; readonly pr_number?: number } = JSON.parse(text)
  const id = String(headers['webhook-id'])
  return { id, headers, text, type: body.type, number: body.pr_number }
}

// Webhooks of one queue with manual timers, in tests.

const main = 'github.com/acme/shop:main'
const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

type Delivering = {
  readonly folder: DataFolder
  readonly timers: ManualTimers
  readonly send: (command: RecordedCommand, queue?: string) => void
  readonly submit: (number: number, queue?: string) => void
  /** Creates one more queue, and returns its name. */
  readonly addQueue: (branch: string) => string
  readonly webhooks: Webhooks
  /** The lines of the log so far. */
  readonly log: readonly string[]
  readonly close: () => Promise<void>
}

/** Opens the webhooks of a new queue in a new folder. */
export async function delivering(...endpoints: readonly Endpoint[]): Promise<Delivering> {
  const timers = new ManualTimers()
  return { timers, ...(await deliveringBy({ timers }, endpoints)) }
}

/** The same with other ports. */
export async function deliveringBy(
  ports: Omit<WebhookPorts, 'logger'>,
  endpoints: readonly Endpoint[],
): Promise<Omit<Delivering, 'timers'>> {
  const folder = dataFolder(temporaryFolder())
  makeDataFolder(folder)
  await writeEndpoints(folder.webhooks, endpoints)
  const registry = new QueueRegistry(noWakes)
  const log: string[] = []
  const logger = pino({ base: null }, { write: (line: string) => void log.push(line) })
  const webhooks = await Webhooks.open(folder, registry, { logger, ...ports })
  onTestFinished(() => webhooks.close())
  const send = (command: RecordedCommand, name = main): void => {
    webhooks.onCommand(applied(registry, name, command))
  }
  const addQueue = (branch: string): string => {
    const name = `github.com/acme/shop:${branch}`
    send({ type: 'createQueue', incarnation, set: { state: 'PAUSED' } }, name)
    return name
  }
  addQueue('main')
  const submit = (number: number, queue = main): void =>
    send({ type: 'submitPullRequest', number }, queue)
  const close = (): Promise<void> => webhooks.close()
  return { folder, send, submit, addQueue, webhooks, log, close }
}

function applied(registry: QueueRegistry, queue: string, command: RecordedCommand) {
  const sequence = registry.sequence + 1
  const entry = { sequence, at: sequence, queue, command }
  const outcome = registry.apply(entry)
  if (!outcome.accepted) throw new Error(outcome.rejection.code)
  return appliedOf(entry, outcome)
}

/** Opens the webhooks again, on a queue with the commands that the outbox has processed. */
export async function reopened(
  folder: DataFolder,
  timers: ManualTimers,
): Promise<(command: RecordedCommand) => void> {
  const registry = new QueueRegistry(noWakes)
  const apply = (command: RecordedCommand) => applied(registry, main, command)
  apply({ type: 'createQueue', incarnation, set: { state: 'PAUSED' } })
  const { through } = readOutbox(folder.outbox)
  for (let number = 1; registry.sequence < through; number++) {
    apply({ type: 'submitPullRequest', number })
  }
  const webhooks = await Webhooks.open(folder, registry, {
    logger: pino({ level: 'silent' }),
    timers,
  })
  onTestFinished(() => webhooks.close())
  return (command) => webhooks.onCommand(apply(command))
}
