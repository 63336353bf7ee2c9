/**
 * A sorted list of numbers that finds the position of a number quickly, also among a hundred
 * thousand.
 *
 * The list is divided into chunks, so that an insertion moves only a few hundred numbers, and a
 * position is found by adding the sizes of chunks.
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
    chunk.splice(positionIn(chunk, key), 0, key)
    if (chunk.length <= 2 * chunkSize) return
    // Keys mostly come in ascending order, so the first part will rarely grow again.
    this.#chunks.splice(this.#chunks.indexOf(chunk) + 1, 0, chunk.splice(chunkSize))
  }

  delete(key: number): void {
    const at = this.#chunkFor(key)
    const chunk = this.#chunks[at]
    const index = chunk ? positionIn(chunk, key) : 0
    if (chunk?.[index] !== key) return
    this.#size--
    chunk.splice(index, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
  }

  /** The number of smaller keys. */
  positionOf(key: number): number {
    const at = this.#chunkFor(key)
    let before = 0
    for (let index = 0; index < at; index++) before += this.#chunks[index]?.length ?? 0
    const chunk = this.#chunks[at]
    return chunk ? before + positionIn(chunk, key) : before
  }

  /** The numbers as they are now, in ascending order. */
  copy(): number[] {
    return this.#chunks.flat()
  }

  *[Symbol.iterator](): Generator<number> {
    for (const chunk of this.#chunks) yield* chunk
  }

  /** The index of the first chunk whose last key is not smaller; one past the end if none. */
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

/** The number of smaller keys in an ascending list. */
function positionIn(keys: readonly number[], key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? key) < key) low = middle + 1
    else high = middle
  }
  return low
}
