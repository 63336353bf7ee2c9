/** How many tasks make a chunk. */

/** Long enough that the way through the database costs nothing, short enough to lose little. */
const chunkMs = 2000

/** The first tasks may be the shortest, so a chunk grows step by step. */
const growth = 4

/** How much the last chunk counts in the time of a task. */
const newShare = 0.3

/** With so many chunks a thread at the end, nobody waits long for the slowest. */
const lastChunks = 3

export class ChunkSize {
  #msPerTask: number | null = null
  #last = 1

  /** Learns what a chunk took. */
  answered(tasks: number, ms: number): void {
    const now = ms / tasks
    const before = this.#msPerTask ?? now
    this.#msPerTask = before + newShare * (now - before)
  }

  /** Returns the size of the next chunk, if there are tasks without end. */
  get wanted(): number {
    if (this.#msPerTask === null) return 1
    const size = Math.round(chunkMs / Math.max(this.#msPerTask, 1 / chunkMs))
    return Math.max(1, Math.min(size, growth * this.#last))
  }

  /** Returns the size of the next chunk, of which so many tasks are left for so many threads. */
  next(left: number, threads: number): number {
    const share = Math.max(1, Math.ceil(left / (lastChunks * threads)))
    const size = Math.min(this.wanted, share)
    this.#last = Math.max(this.#last, size)
    return size
  }

  /** Returns how many tasks must be known ahead, so that the last chunks can be shorter. */
  ahead(threads: number): number {
    return this.wanted * lastChunks * threads
  }
}
