/** A process that runs storms, as the one that started it sees it. */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer, Wish } from './stormer.ts'

export class StormerProcess {
  readonly #child: ChildProcess
  readonly #failure: Promise<never>

  /** With a limit to its heap it cleans up in time: left alone, V8 would rather grow. */
  constructor(heapMebibytes: number | null = null) {
    const limit = heapMebibytes === null ? [] : [`--max-old-space-size=${heapMebibytes}`]
    const execArgv = [...process.execArgv, ...limit]
    this.#child = fork(fileURLToPath(new URL('./stormer.js', import.meta.url)), [], { execArgv })
    this.#failure = once(this.#child, 'exit').then(() => {
      throw new Error('the process that runs the storm has ended')
    })
    this.#failure.catch(() => undefined)
  }

  async ask(wish: Wish): Promise<Answer> {
    const answered = once(this.#child, 'message')
    this.#child.send(wish)
    const [answer]: Answer[] = await Promise.race([answered, this.#failure])
    if (!answer) throw new Error('the process that runs the storm did not answer')
    return answer
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill()
    await ended
  }
}
