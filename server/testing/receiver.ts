/** A receiver of webhooks, in tests: an HTTP server that records the messages it receives. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { makeEndpoint, type Endpoint } from '../webhooks/message.ts'
import type { WebhookEventType } from '../notices/queue-notices.ts'

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
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  return {
    endpoint: makeEndpoint(`http://127.0.0.1:${address.port}/hook`, events, new Date()),
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
