/** Sends one message to one endpoint, signed according to Standard Webhooks. */

import { Webhook } from 'standardwebhooks'
import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import type { Message } from './message.ts'

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
    return { status, fault: ok ? null : `answered ${status}` }
  } catch (error) {
    return { status: null, fault: faultOf(error) }
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1_000} s`
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
