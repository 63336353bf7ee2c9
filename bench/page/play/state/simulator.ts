/** The worker, as the page sees it. */

import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import type { Answer, Wish } from '../worker/protocol.ts'

export class Simulator {
  readonly #worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' })
  #last = 0

  /** `onAnswer` gets the answers to the latest wish. */
  constructor(onAnswer: (answer: Answer) => void) {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.id === this.#last) onAnswer(data)
    })
    this.#worker.addEventListener('error', ({ message }) => {
      onAnswer({ kind: 'failed', id: this.#last, why: message })
    })
  }

  simulate(scenario: Scenario, today: Scenario | null): void {
    this.#send({ scenario, today, isHashed: false })
  }

  /** Asks for the hash of the trace. Nothing else may be asked for meanwhile. */
  hash(scenario: Scenario): void {
    this.#send({ scenario, today: null, isHashed: true })
  }

  #send(wish: Omit<Wish, 'id'>): void {
    this.#worker.postMessage({ id: ++this.#last, ...wish })
  }
}
