/** One attempt to deliver a message, and its line in the log. */

import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import type { Delivery } from './outbox-state.ts'
import type { PostResult } from './post.ts'

export type Attempt = {
  readonly endpoint: Endpoint
  readonly delivery: Delivery
  /** From 1. */
  readonly attempt: number
  readonly result: PostResult
  readonly ms: Millis
  /** The time until the next attempt; null if there is none. */
  readonly nextMs: Millis | null
}

/** Logs the id of the endpoint and not its URL, which may contain a secret. */
export function logAttempt(logger: Logger, made: Attempt): void {
  const { endpoint, delivery, attempt, result, ms, nextMs } = made
  const { id: message, type, sequence } = delivery.message
  const { status, fault } = result
  const line = { webhook: endpoint.id, message, type, sequence, attempt, status, ms }
  if (fault === null) logger.info(line, 'webhook delivered')
  else logger.warn({ ...line, fault, nextMs }, 'webhook failed')
}
