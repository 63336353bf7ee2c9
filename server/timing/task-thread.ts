/**
 * Work that can take long, in a thread of its own: no request waits for it. A task that is not done at its deadline,
 * or needs too much memory, fails, and the thread ends with it.
 */

import { type ResourceLimits, Worker } from 'node:worker_threads'

export type ThreadLimits = {
  /** For people: `a forecast`. */
  readonly what: string
  /** Default: as long as it takes. */
  readonly longestMs?: number
  readonly memory: ResourceLimits
}

/** What the thread runs: an exported function of a module. */
export type ThreadWork = { readonly module: string; readonly name: string }

export class TaskThread<Task, Result> {
  readonly #work: ThreadWork
  readonly #limits: ThreadLimits
  #worker: Worker | null = null
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** `work` is an export of that module. The thread starts with the first task. */
  constructor(module: URL, work: (task: Task) => Result | Promise<Result>, limits: ThreadLimits) {
    this.#work = { module: module.href, name: work.name }
    this.#limits = limits
  }

  /** One task after another. Rejects with the error of the work, or at the deadline. */
  run(task: Task): Promise<Result> {
    const result = this.#last.then(() => this.#next(task))
    this.#last = result.catch(() => undefined)
    return result
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  async #next(task: Task): Promise<Result> {
    if (this.#isClosed) throw new Error('the server stops')
    const { what, longestMs } = this.#limits
    const worker = (this.#worker ??= this.#start())
    let timer: NodeJS.Timeout | undefined
    // A process that only waits for a task does not end before it.
    worker.ref()
    try {
      return await new Promise<Result>((resolve, reject) => {
        const tooLate = (): void => reject(new Error(`${what} took longer than ${longestMs} ms`))
        if (longestMs !== undefined) timer = setTimeout(tooLate, longestMs).unref()
        worker.removeAllListeners()
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.once('exit', () => reject(new Error(`the thread of ${what} has ended`)))
        worker.postMessage(task, [])
      })
    } catch (error) {
      this.#worker = null
      // It has failed already; what its end says is not needed.
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      await worker.terminate()
      throw error
    } finally {
      clearTimeout(timer)
      worker.unref()
    }
  }

  #start(): Worker {
    return new Worker(new URL('./task-worker.js', import.meta.url), {
      workerData: this.#work,
      resourceLimits: this.#limits.memory,
    })
  }
}

/** Does one task in a thread that ends with it. */
export async function inThread<Task, Result>(
  thread: TaskThread<Task, Result>,
  task: Task,
): Promise<Result> {
  try {
    return await thread.run(task)
  } finally {
    await thread.close()
  }
}
