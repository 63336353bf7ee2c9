/** Where the demo's webhooks arrive: each signature is verified before anything is believed. */

import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

export type Told = {
  readonly type: string
  readonly test_run_id?: string
  readonly pr_number?: number
}

export type Receiver = {
  readonly url: string
  readonly close: () => void
}

export type ReceiverPorts = {
  /** The secret, once the webhook has one. */
  readonly secret: () => string
  readonly onTold: (told: Told) => void
  readonly onForged: () => void
}

/** Listens on any free port of this machine. */
export async function startReceiver({
  secret,
  onTold,
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
        const told: Told = JSON.parse(text)
        onTold(told)
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
