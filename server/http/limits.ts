/** How much a request may ask of the server. Source: spec "Everywhere". */

const mebibyte = 1 << 20

/** The largest body, inflated. */
export const largestBodyBytes = 20 * mebibyte

/** What all bodies that are being read may hold together. */
const allBodiesBytes = 128 * mebibyte

/** How deep arrays and objects may nest. */
export const deepestNesting = 64

/** What bodies hold while they are read. */
export class BodyBudget {
  #held = 0

  /** False where it would be too much; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#held + bytes > allBodiesBytes) return false
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
