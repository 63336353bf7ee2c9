/**
 * Grants one request at a time. While one is being granted, only the latest of the others is remembered, and it
 * ends the work for the one before.
 */

/**
 * Resolves after messages have been read, or after a rest, which a newer request ends. False: a newer request
 * is there, so stop.
 */
export type Pause = (restMs?: number) => Promise<boolean>

type Waiting = {
  /** Resolves when messages that have come meanwhile were read. */
  readonly breathe: () => Promise<void>
  readonly sleep: (ms: number) => Promise<void>
}

export class LatestWins<Message> {
  readonly #grant: (request: Message, pause: Pause) => Promise<void>
  readonly #waiting: Waiting
  #next: { readonly request: Message } | null = null
  #isBusy = false
  #wake: () => void = () => undefined

  constructor(grant: (request: Message, pause: Pause) => Promise<void>, waiting: Waiting) {
    this.#grant = grant
    this.#waiting = waiting
  }

  /** Resolves when nothing is left to do. */
  async request(request: Message): Promise<void> {
    this.#next = { request }
    this.#wake()
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let next = this.#take(); next; next = this.#take()) {
        await this.#grant(next.request, (restMs) => this.#goesOn(restMs))
      }
    } finally {
      this.#isBusy = false
    }
  }

  async #goesOn(restMs = 0): Promise<boolean> {
    if (this.#isOutdated) return false
    if (restMs === 0) await this.#waiting.breathe()
    else await Promise.race([this.#waiting.sleep(restMs), this.#newRequest()])
    return !this.#isOutdated
  }

  get #isOutdated(): boolean {
    return this.#next !== null
  }

  #newRequest(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #take(): { readonly request: Message } | null {
    const next = this.#next
    this.#next = null
    return next
  }
}
