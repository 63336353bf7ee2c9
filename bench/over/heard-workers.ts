/** The workers that a coordinator has heard of lately. */

import type { Hello } from './messages.ts'

/** Workers say every few seconds that they are there. One that is silent for so long is lost. */
const silentMs = 15_000

export class HeardWorkers {
  readonly #heard = new Map<string, { readonly threads: number; readonly atMs: number }>()

  hear({ hello, threads }: Hello): void {
    this.#heard.set(hello, { threads, atMs: performance.now() })
  }

  /** The number of workers. */
  get count(): number {
    return this.#present().length
  }

  /** The number of their threads, at least 1. */
  get threads(): number {
    return Math.max(
      1,
      this.#present().reduce((sum, { threads }) => sum + threads, 0),
    )
  }

  #present(): { readonly threads: number }[] {
    const since = performance.now() - silentMs
    return [...this.#heard.values()].filter(({ atMs }) => atMs >= since)
  }
}
