/**
 * Grants one wish at a time. While one is being granted, only the latest of the others is remembered,
 * and it ends the work for the one before.
 */

/** Resolves after messages have been read; false: a newer wish is there, so stop. */
export type Pause = () => Promise<boolean>

export class LatestWins<Wish> {
  readonly #grant: (wish: Wish, pause: Pause) => Promise<void>
  readonly #breathe: () => Promise<void>
  #next: { readonly wish: Wish } | null = null
  #isBusy = false

  /** `breathe` resolves when messages that have come meanwhile were read. */
  constructor(grant: (wish: Wish, pause: Pause) => Promise<void>, breathe: () => Promise<void>) {
    this.#grant = grant
    this.#breathe = breathe
  }

  /** Resolves when nothing is left to do. */
  async wish(wish: Wish): Promise<void> {
    this.#next = { wish }
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let next = this.#take(); next; next = this.#take()) {
        await this.#grant(next.wish, () => this.#goesOn())
      }
    } finally {
      this.#isBusy = false
    }
  }

  async #goesOn(): Promise<boolean> {
    await this.#breathe()
    return this.#next === null
  }

  #take(): { readonly wish: Wish } | null {
    const next = this.#next
    this.#next = null
    return next
  }
}
