/**
 * When to try again after a fault outside: a repository that cannot be reached, a full disk. Such a
 * fault is never a verdict about a pull request.
 */

const longestMs = 5 * 60_000

export class Backoff {
  readonly #firstMs: number
  #waitMs: number

  constructor(firstMs = 1_000) {
    this.#firstMs = firstMs
    this.#waitMs = firstMs
  }

  /** The wait before the next try: doubled after each fault, up to five minutes. */
  next(): number {
    const waitMs = this.#waitMs
    this.#waitMs = Math.min(longestMs, waitMs * 2)
    return waitMs
  }

  worked(): void {
    this.#waitMs = this.#firstMs
  }
}

/** A fault that stays, such as a full disk, comes up at each try, and is logged only now and then. */
export class ReportedFaults {
  readonly #told = new Map<string, number>()

  /** True if the same was not told in the last five minutes. */
  isNew(words: string, now: number): boolean {
    for (const [told, at] of this.#told) if (now - at >= longestMs) this.#told.delete(told)
    if (this.#told.has(words)) return false
    this.#told.set(words, now)
    return true
  }
}

// Does one thing after the other.

export type Alone = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes a function that begins each piece of work when the one before has ended. */
export function oneAtATime(): Alone {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}
