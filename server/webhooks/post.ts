/** Sends one message to one endpoint, signed according to Standard Webhooks. */

import { Webhook } from 'standardwebhooks'
import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import type { Message } from './message.ts'

/** Null after success. Else the error; `isGone` is true for a 410: send nothing more. */
type DeliveryFailure = { readonly fault: string; readonly isGone: boolean } | null

/** Never rejects. */
export type Post = (
  endpoint: Endpoint,
  message: Pick<Message, 'id' | 'payload'>,
  signal: AbortSignal,
) => Promise<DeliveryFailure>

const timeoutMs: Millis = 15_000
const gone = 410

export const post: Post = async ({ url, secret }, { id, payload }, signal) => {
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'mergeyard',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, payload),
  }
  const combinedSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const { ok, status, body } = await fetch(url, {
      method: 'POST',
      headers,
      body: payload,
      redirect: 'manual',
      signal: combinedSignal,
    })
    // Only the status matters.
    await body?.cancel()
    return ok ? null : { fault: `answered ${status}`, isGone: status === gone }
  } catch (error) {
    return { fault: faultOf(error), isGone: false }
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1_000} s`
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
