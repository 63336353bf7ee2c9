/** Sends one message to one endpoint, signed according to Standard Webhooks. */

import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Webhook } from 'standardwebhooks'
import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import type { Message } from './message.ts'
import { privateAddressIn, privateFault, publicLookup, targetFault } from './target.ts'

/** The result of one attempt. */
export type PostResult = {
  /** Null if no response arrived. */
  readonly status: number | null
  /** The error; null after success. */
  readonly fault: string | null
}

/** Never rejects. */
export type Post = (
  endpoint: Endpoint,
  message: Pick<Message, 'id' | 'payload'>,
  signal: AbortSignal,
) => Promise<PostResult>

const timeoutMs: Millis = 15_000

/** An endpoint that responds with this status wants nothing more. */
export const gone = 410

/** `fetch` cannot check the address to which it connects. Neither of them follows redirects. */
const agentOptions = { keepAlive: true, maxSockets: 16, timeout: timeoutMs } as const
const clients = {
  'http:': { request: httpRequest, agent: new HttpAgent(agentOptions) },
  'https:': { request: httpsRequest, agent: new HttpsAgent(agentOptions) },
} as const
const lookup = publicLookup()

export const post: Post = async (endpoint, { id, payload }, signal) => {
  const { url, secret } = endpoint
  const refusal = refusalOf(endpoint)
  if (refusal !== null) return { status: null, fault: refusal }
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(payload),
    'user-agent': 'mergeyard',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, payload),
  }
  const combinedSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const status = await statusOf(endpoint, { headers, payload, signal: combinedSignal })
    const isAccepted = status >= 200 && status < 300
    return { status, fault: isAccepted ? null : `answered ${status}` }
  } catch (error) {
    return { status: null, fault: faultOf(error, url) }
  }
}

/** Why nothing is sent to this endpoint, whatever its host says; null if there is no reason. */
function refusalOf({ url, allowPrivate }: Endpoint): string | null {
  const fault = targetFault(url)
  if (fault !== null) return `is not a target: expected ${fault}`
  const address = allowPrivate === false ? privateAddressIn(url) : null
  return address === null ? null : privateFault(address, address)
}

type Sent = {
  readonly headers: Readonly<Record<string, string | number>>
  readonly payload: string
  readonly signal: AbortSignal
}

/** Only the status matters; the body is read and dropped. */
function statusOf({ url, allowPrivate }: Endpoint, sent: Sent): Promise<number> {
  const { headers, payload, signal } = sent
  const { request, agent } = clients[url.startsWith('https:') ? 'https:' : 'http:']
  // Endpoints of older versions have no choice recorded, and keep working.
  const guarded = allowPrivate === false ? { lookup } : {}
  return new Promise((resolve, reject) => {
    const made = request(
      url,
      { method: 'POST', headers, agent, signal, ...guarded },
      (response) => {
        response.on('error', () => undefined)
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    made.on('error', reject)
    made.end(payload)
  })
}

function faultOf(error: unknown, url: string): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return `did not answer within ${timeoutMs / 1_000} s`
  }
  // A host with several addresses has one error for each.
  if (error instanceof AggregateError) {
    const [first] = error.errors
    return first instanceof Error ? first.message : `no address of ${new URL(url).host} answers`
  }
  return error.message
}
