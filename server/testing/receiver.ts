/** A receiver of webhooks, in tests: a real HTTP server that remembers what it was sent. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { makeEndpoint, type Endpoint } from '../webhooks/endpoints.ts'
import type { EventType } from '../webhooks/event-types.ts'

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
  /** `merged 1`, in the order in which they came. */
  readonly told: () => string[]
  /** Settles when so many have come. */
  readonly untilReceived: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

export type Manner = (response: ServerResponse, received: Received) => void

export const polite: Manner = (response) => void response.writeHead(204).end()
export const failing: Manner = (response) => void response.writeHead(500).end('no')
/** Takes everything and says nothing. */
export const silent: Manner = () => undefined

export type Wishes = { readonly port?: number; readonly events?: readonly EventType[] | null }

/** Starts one with that manner; it ends with the test. */
export async function receiver(
  manner: Manner = polite,
  { port = 0, events = null }: Wishes = {},
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = receivedFrom(request.headers, Buffer.concat(chunks).toString('utf8'))
      received.push(one)
      manner(response, one)
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
    told: () => received.map(briefly),
    untilReceived: async (count) => {
      await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
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
