/** Receives the demo's webhooks and verifies the signature of each message. */

import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

export type WebhookMessage = {
  readonly type: string
  readonly test_run_id?: string
  readonly pr_number?: number
}

export type Receiver = {
  readonly url: string
  readonly close: () => void
}

export type ReceiverPorts = {
  /** Returns the secret of the webhook. */
  readonly secret: () => string
  readonly onMessage: (message: WebhookMessage) => void
  readonly onForged: () => void
}

/** Starts the receiver on a free port of this machine. */
export async function startReceiver({
  secret,
  onMessage,
  onForged,
}: ReceiverPorts): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      )
      if (isGenuine(secret(), text, headers)) {
        response.writeHead(204).end()
        const message: WebhookMessage = JSON.parse(text)
        onMessage(message)
      } else {
        response.writeHead(401).end()
        onForged()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${address.port}/`, close }
}

function isGenuine(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}
