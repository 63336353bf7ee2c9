/** Counts the attempts by queue, endpoint and outcome, since the start of this process. */

import { queueOf, type Message } from './message.ts'
import type { Attempt } from './attempt.ts'
import type { PostResult } from './post.ts'

export const attemptOutcomes = ['delivered', 'refused', 'no_response'] as const
type AttemptOutcome = (typeof attemptOutcomes)[number]
type Counted = AttemptOutcome | 'given_up'

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
