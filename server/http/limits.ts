/** Limits of request bodies. Rules. */

const mebibyte = 1 << 20

/** The size limit of a body after inflation. */
export const largestBodyBytes = 20 * mebibyte

/** The size limit of all bodies together that are being read. */
const allBodiesBytes = 128 * mebibyte

/** The same for webhooks of GitHub, which are read before it is known who sends them. */
export const allHooksBytes = 32 * mebibyte

/** The limit of nested arrays and objects, in levels. */
export const deepestNesting = 64

/**
 * Of the elements of arrays in a body above 64 KiB only so many are kept. No operation tells longer
 * lists apart, and millions of short strings would keep the garbage collection busy.
 */
export const mostElements = 100_000

/** The limit of fields in all objects of a body above 64 KiB. */
export const mostFields = 100_000

/** The memory of all bodies that are being read, in bytes. */
export class BodyBudget {
  readonly #limit: number
  #held = 0

  constructor(limit: number = allBodiesBytes) {
    this.#limit = limit
  }

  /** Reserves memory. Returns false, and reserves nothing, if the limit would be exceeded. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false
    this.#held += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#held -= bytes
  }

  get held(): number {
    return this.#held
  }
}

/** How long a client may take to send a request. The rest of a slower one is not read. */
export type RequestTimeouts = {
  readonly headersMs: number
  /** From the first byte of the headers to the last of the body. */
  readonly requestMs: number
  /** How often the connections are checked. */
  readonly checkMs: number
}

/** A body of 20 MiB takes 120 s at 1.4 Mbit/s. */
export const requestTimeouts: RequestTimeouts = {
  headersMs: 15_000,
  requestMs: 120_000,
  checkMs: 1_000,
}
