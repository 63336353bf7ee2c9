/** What the page and its worker say to each other. */

import type { ComparedFigures } from '../../../queues/figures.ts'
import type { Figures } from '../../../../sim/result/result-document.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import type { Film } from '../film/film.ts'

/** What the page wants to know. A newer wish ends the work for the one before. */
export type Wish = {
  /** Counts up; answers carry it. */
  readonly id: number
  /**
   * The figures and the film; the figures with the hash of the trace; the other queues; or an end of
   * all work.
   */
  readonly wants: 'show' | 'hash' | 'others' | 'nothing'
  readonly scenario: Scenario
  /** Today's setting, to be shown beside it; null if nothing was changed. */
  readonly today: Scenario | null
}

export type Answer =
  | { readonly kind: 'figures'; readonly id: number; readonly figures: Figures }
  | { readonly kind: 'today'; readonly id: number; readonly figures: Figures }
  | { readonly kind: 'film'; readonly id: number; readonly film: Film }
  | { readonly kind: 'other'; readonly id: number; readonly other: OtherQueue }
  | { readonly kind: 'hashed'; readonly id: number; readonly figures: Figures }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string }

export type OtherQueue = {
  readonly name: string
  readonly about: string
  readonly isReference: boolean
  readonly figures: ComparedFigures
  /** How many queues there are, this one included. */
  readonly of: number
}

// Grants one wish at a time. While one is being granted, only the latest of the others is remembered,
// and it ends the work for the one before.

/**
 * Resolves after messages have been read, or after a rest, which a newer wish ends. False: a newer wish
 * is there, so stop.
 */
export type Pause = (restMs?: number) => Promise<boolean>

type Waiting = {
  /** Resolves when messages that have come meanwhile were read. */
  readonly breathe: () => Promise<void>
  readonly sleep: (ms: number) => Promise<void>
}

export class LatestWins<Wished> {
  readonly #grant: (wish: Wished, pause: Pause) => Promise<void>
  readonly #waiting: Waiting
  #next: { readonly wish: Wished } | null = null
  #isBusy = false
  #wake: () => void = () => undefined

  constructor(grant: (wish: Wished, pause: Pause) => Promise<void>, waiting: Waiting) {
    this.#grant = grant
    this.#waiting = waiting
  }

  /** Resolves when nothing is left to do. */
  async wish(wish: Wished): Promise<void> {
    this.#next = { wish }
    this.#wake()
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let next = this.#take(); next; next = this.#take()) {
        await this.#grant(next.wish, (restMs) => this.#goesOn(restMs))
      }
    } finally {
      this.#isBusy = false
    }
  }

  async #goesOn(restMs = 0): Promise<boolean> {
    if (this.#isOutdated) return false
    if (restMs === 0) await this.#waiting.breathe()
    else await Promise.race([this.#waiting.sleep(restMs), this.#newWish()])
    return !this.#isOutdated
  }

  get #isOutdated(): boolean {
    return this.#next !== null
  }

  #newWish(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #take(): { readonly wish: Wished } | null {
    const next = this.#next
    this.#next = null
    return next
  }
}
