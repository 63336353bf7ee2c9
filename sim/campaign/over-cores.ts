/** Runs small tasks on all cores, and reports their results in the order of the tasks. */

import { availableParallelism } from 'node:os'
import { Tinypool } from 'tinypool'

export type ParallelWork<Task, Answer> = {
  /** The compiled module of the worker, and the name of its function. */
  readonly worker: { readonly url: URL; readonly name: string }
  /** The tasks, taken one by one as cores become free. They may be endless. */
  readonly tasks: Iterable<Task>
  /** Called with every answer, in the order of the tasks. */
  readonly onAnswer: (answer: Answer) => void
  /** Called before each task. If it returns true, no task starts any more; started tasks finish. */
  readonly isEnough?: () => boolean
  /** Stops at once. Answers that have already arrived are reported. */
  readonly signal?: AbortSignal | undefined
}

/** Runs work somewhere: on the cores of this machine, or on others. */
export type Spread = <Task, Answer>(work: ParallelWork<Task, Answer>) => Promise<void>

/** Where the work of a command runs. */
export type Spreading = {
  readonly spread: Spread
  /** What a progress bar says besides its name: nothing, or ` over 3 workers`. */
  readonly note: () => string
}

/** Tasks per worker: the current one and the next. */
const tasksPerWorker = 2

/** Runs the tasks until none is left or `isEnough` returns true. Throws the errors of workers. */
export async function overCores<Task, Answer>(work: ParallelWork<Task, Answer>): Promise<void> {
  const { worker, signal } = work
  const isAborted = (): boolean => signal?.aborted === true
  if (isAborted()) return
  const pool = takePool()
  const task = { filename: worker.url.href, name: worker.name }
  let isDone = false
  const stop = (): void => void pool.destroy()
  signal?.addEventListener('abort', stop, { once: true })
  const tasks = work.tasks[Symbol.iterator]()
  const finished = new InOrder(work.onAnswer)
  const isEnough = (): boolean => work.isEnough?.() === true
  const runTasks = async (): Promise<void> => {
    for (let position = finished.next(); !isEnough(); position = finished.next()) {
      const next = tasks.next()
      if (next.done === true) return
      const answer: Answer = await pool.run(next.value, task)
      finished.add(position, answer)
    }
  }
  try {
    await Promise.all(Array.from({ length: tasksPerWorker * threads }, runTasks))
    isDone = !isAborted()
  } catch (error) {
    if (!isAborted()) throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    if (isDone) givePoolBack(pool)
    else await pool.destroy()
    finished.flush()
  }
}

/** All work runs on the cores of this machine. */
export const onCores: Spreading = { spread: overCores, note: () => '' }

// Pools of worker threads, one thread per core. Idle pools are reused, because each new thread loads
// and compiles the engine and the simulator again.

/**
 * The maximum delay of a timer: threads of an idle pool do not end. They do not keep the process
 * alive.
 */
const idleTimeoutMs = 2 ** 31 - 1

/** Pools without tasks. Concurrent work uses separate pools. */
const idlePools: Tinypool[] = []

const threads = Math.max(1, availableParallelism())

/** Returns an idle pool or a new one. Its threads start when they get tasks. */
function takePool(): Tinypool {
  const idle = idlePools.pop()
  if (idle) return idle
  return new Tinypool({ minThreads: 0, maxThreads: threads, idleTimeout: idleTimeoutMs })
}

/** Returns a pool without tasks for reuse. Destroy a pool with unfinished tasks instead. */
function givePoolBack(pool: Tinypool): void {
  idlePools.push(pool)
}

/** Receives answers in any order and reports them in the order of their positions. */
export class InOrder<Answer> {
  readonly #onAnswer: (answer: Answer) => void
  readonly #waiting = new Map<number, { readonly answer: Answer }>()
  #positions = 0
  #due = 0

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer
  }

  /** Returns a new last position. */
  next(): number {
    return this.#positions++
  }

  add(position: number, answer: Answer): void {
    this.#waiting.set(position, { answer })
    for (let due = this.#waiting.get(this.#due); due; due = this.#waiting.get(this.#due)) {
      this.#waiting.delete(this.#due)
      this.#due++
      this.#onAnswer(due.answer)
    }
  }

  /** Reports the remaining answers in order, past any gaps. Call this when no more answers come. */
  flush(): void {
    const left = [...this.#waiting].sort(([a], [b]) => a - b)
    this.#waiting.clear()
    for (const [, { answer }] of left) this.#onAnswer(answer)
  }
}
