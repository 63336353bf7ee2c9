/**
 * A sorted list of numbers that tells at which place one stands, with a hundred thousand in it.
 *
 * The list is cut into chunks, so that an insertion moves a few hundred numbers at most, and a
 * place is found by adding up whole chunks.
 */

const chunkSize = 512

export class SortedKeys {
  readonly #chunks: number[][] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(key: number): void {
    this.#size++
    const at = this.#chunkFor(key)
    const chunk = this.#chunks[at] ?? this.#chunks.at(-1)
    if (!chunk) {
      this.#chunks.push([key])
      return
    }
    chunk.splice(placeIn(chunk, key), 0, key)
    if (chunk.length <= 2 * chunkSize) return
    // The rare cut; keys mostly come in order, so the first part will not grow any more.
    this.#chunks.splice(this.#chunks.indexOf(chunk) + 1, 0, chunk.splice(chunkSize))
  }

  delete(key: number): void {
    const at = this.#chunkFor(key)
    const chunk = this.#chunks[at]
    const index = chunk ? placeIn(chunk, key) : 0
    if (chunk?.[index] !== key) return
    this.#size--
    chunk.splice(index, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** How many keys are smaller. */
  placeOf(key: number): number {
    const at = this.#chunkFor(key)
    let before = 0
    for (let index = 0; index < at; index++) before += this.#chunks[index]?.length ?? 0
    const chunk = this.#chunks[at]
    return chunk ? before + placeIn(chunk, key) : before
  }

  *[Symbol.iterator](): Generator<number> {
    for (const chunk of this.#chunks) yield* chunk
  }

  /** The first chunk whose last key is not smaller; where there is none, one past the end. */
  #chunkFor(key: number): number {
    let low = 0
    let high = this.#chunks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#chunks[middle]?.at(-1) ?? key) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** How many keys of an ascending list are smaller. */
function placeIn(keys: readonly number[], key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? key) < key) low = middle + 1
    else high = middle
  }
  return low
}
