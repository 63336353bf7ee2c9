/** Work in small tasks, spread over the cores; what comes of them is heard in the order of the tasks. */

import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'

export type Work<Task, Answer> = {
  /** The compiled module of the worker, and the name of its function. */
  readonly worker: { readonly url: URL; readonly name: string }
  /** Taken one after another as cores become free; there may be no end of them. */
  readonly tasks: Iterable<Task>
  /** Hears of every answer in the order of the tasks, whichever core was faster. */
  readonly onAnswer: (answer: Answer) => void
  /** Asked before a task is taken: from then on no more are, and those under way are finished. */
  readonly isEnough?: () => boolean
  /** Breaks off at once; what is finished by then has been heard of. */
  readonly signal?: AbortSignal | undefined
}

/** Tasks in the hands of each worker: the one it works on, and the next. */
const tasksPerWorker = 2

/** Does the tasks until there are none left, or it is enough. Throws what a worker throws. */
export async function overCores<Task, Answer>(work: Work<Task, Answer>): Promise<void> {
  const { worker, signal } = work
  const isBrokenOff = (): boolean => signal?.aborted === true
  if (isBrokenOff()) return
  const threads = Math.max(1, availableParallelism())
  const pool = new Tinypool({
    filename: worker.url.href,
    name: worker.name,
    minThreads: threads,
    maxThreads: threads,
  })
  const stop = (): void => void pool.destroy()
  signal?.addEventListener('abort', stop, { once: true })
  const tasks = work.tasks[Symbol.iterator]()
  const finished = new InOrder(work.onAnswer)
  const isEnough = (): boolean => work.isEnough?.() === true
  const workOff = async (): Promise<void> => {
    for (let place = finished.next(); !isEnough(); place = finished.next()) {
      const next = tasks.next()
      if (next.done === true) return
      const answer: Answer = await pool.run(next.value)
      finished.add(place, answer)
    }
  }
  try {
    await Promise.all(Array.from({ length: tasksPerWorker * threads }, workOff))
  } catch (error) {
    if (!isBrokenOff()) throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    await pool.destroy()
    finished.flush()
  }
}

/** Answers come as cores finish them, and are passed on in the order of their places. */
class InOrder<Answer> {
  readonly #onAnswer: (answer: Answer) => void
  readonly #waiting = new Map<number, { readonly answer: Answer }>()
  #given = 0
  #due = 0

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer
  }

  /** A new place behind all others. */
  next(): number {
    return this.#given++
  }

  add(place: number, answer: Answer): void {
    this.#waiting.set(place, { answer })
    for (let due = this.#waiting.get(this.#due); due; due = this.#waiting.get(this.#due)) {
      this.#waiting.delete(this.#due)
      this.#due++
      this.#onAnswer(due.answer)
    }
  }

  /** Nothing more will come: what is there goes on, past the gaps. */
  flush(): void {
    const left = [...this.#waiting].sort(([a], [b]) => a - b)
    this.#waiting.clear()
    for (const [, { answer }] of left) this.#onAnswer(answer)
  }
}
