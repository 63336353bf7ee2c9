/** The parent's side of the process that simulates heavy scenarios. */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadProgress, LoadRequest } from './load-worker.ts'

export class LoadProcess {
  readonly #child: ChildProcess
  readonly #failure: Promise<never>

  /**
   * Starts the process. With a heap limit V8 collects garbage early; without a limit it lets the
   * heap grow.
   */
  constructor(heapMebibytes: number | null = null) {
    const limit = heapMebibytes === null ? [] : [`--max-old-space-size=${heapMebibytes}`]
    const execArgv = [...process.execArgv, ...limit]
    this.#child = fork(fileURLToPath(new URL('./load-worker.js', import.meta.url)), [], {
      execArgv,
    })
    this.#failure = once(this.#child, 'exit').then(() => {
      throw new Error('the load process has ended')
    })
    this.#failure.catch(() => undefined)
  }

  /** Sends a request and waits for the answer. Throws if the process ends before it answers. */
  async send(request: LoadRequest): Promise<LoadProgress> {
    const answered = once(this.#child, 'message')
    this.#child.send(request)
    const [answer]: LoadProgress[] = await Promise.race([answered, this.#failure])
    if (!answer) throw new Error('the load process did not answer')
    return answer
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}
