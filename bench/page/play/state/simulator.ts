/**
 * The workers, as the page sees them: one for what is set, and one for the other queues, whose models
 * cannot be interrupted. So a slider never waits for them.
 */

import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import type { Answer, Wish } from '../worker/protocol.ts'

export class Simulator {
  readonly #own: Thread
  readonly #others: Thread

  /** `onAnswer` gets the answers to the latest wishes. */
  constructor(onAnswer: (answer: Answer) => void) {
    this.#own = new Thread(onAnswer)
    this.#others = new Thread(onAnswer)
  }

  /** The figures, today's beside them, and the film. */
  show(scenario: Scenario, today: Scenario | null): void {
    this.#others.send({ wants: 'nothing', scenario, today: null })
    this.#own.send({ wants: 'show', scenario, today })
  }

  /** The hash of the trace, which ends what `show` still does. */
  hash(scenario: Scenario): void {
    this.#own.send({ wants: 'hash', scenario, today: null })
  }

  others(scenario: Scenario): void {
    this.#others.send({ wants: 'others', scenario, today: null })
  }
}

class Thread {
  readonly #worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' })
  #last = 0

  constructor(onAnswer: (answer: Answer) => void) {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.id === this.#last) onAnswer(data)
    })
    this.#worker.addEventListener('error', (event) => {
      // A worker that did not load has no message.
      const why = event instanceof ErrorEvent ? event.message : 'Its code could not be loaded.'
      onAnswer({ kind: 'failed', id: this.#last, why })
    })
  }

  send(wish: Omit<Wish, 'id'>): void {
    this.#worker.postMessage({ id: ++this.#last, ...wish })
  }
}
