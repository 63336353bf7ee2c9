/** The attempts to deliver messages: what one is, its line in the log, and their numbers. */

import type { Logger } from 'pino'
import type { Millis } from '../../engine/index.ts'
import type { Endpoint } from './endpoints.ts'
import { type Message, queueOf } from './message.ts'
import type { Delivery } from './outbox.ts'
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

export const attemptOutcomes = ['delivered', 'refused', 'no_response'] as const
type AttemptOutcome = (typeof attemptOutcomes)[number]
type Counted = AttemptOutcome | 'given_up'

/** Counts the attempts by queue, endpoint and outcome, since the start of this process. */
export class Attempts {
  readonly #counts = new Map<string, number>()

  tried({ endpoint, delivery, result }: Attempt): void {
    this.#add(endpoint.id, delivery.message, outcomeOf(result))
  }

  gaveUp(endpoint: string, message: Message): void {
    this.#add(endpoint, message, 'given_up')
  }

  of(endpoint: string, queue: string, counted: Counted): number {
    return this.#counts.get(`${endpoint} ${counted} ${queue}`) ?? 0
  }

  #add(endpoint: string, message: Message, counted: Counted): void {
    const key = `${endpoint} ${counted} ${queueOf(message)}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }
}

function outcomeOf({ status, fault }: PostResult): AttemptOutcome {
  if (fault === null) return 'delivered'
  return status === null ? 'no_response' : 'refused'
}
