/** Tasks that are read some way ahead, to know when the end comes. They may be endless. */

export class KnownAhead<Task> {
  readonly #tasks: Iterator<Task>
  readonly #known: Task[] = []
  #isEnded = false

  constructor(tasks: Iterable<Task>) {
    this.#tasks = tasks[Symbol.iterator]()
  }

  /** Reads on until so many tasks are known. Returns how many are. */
  knowing(count: number): number {
    while (!this.#isEnded && this.#known.length < count) {
      const next = this.#tasks.next()
      if (next.done === true) this.#isEnded = true
      else this.#known.push(next.value)
    }
    return this.#known.length
  }

  /** Takes the next tasks, at most so many. */
  take(count: number): Task[] {
    this.knowing(count)
    return this.#known.splice(0, count)
  }
}
