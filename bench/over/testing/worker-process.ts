/** `mergeyard worker` as a process of its own, as on another machine. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const executable = fileURLToPath(new URL('../../cli/mergeyard.js', import.meta.url))

export class WorkerProcess {
  readonly #process: ChildProcess

  constructor(address: string) {
    const args = [executable, 'worker', address, '--threads', '1']
    this.#process = spawn(process.execPath, args, { stdio: 'ignore' })
  }

  /** Sends a signal. Settles when the process has ended, unless the signal only stops it. */
  async end(signal: 'SIGINT' | 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const ended = once(this.#process, 'exit')
    this.#process.kill(signal)
    if (signal !== 'SIGSTOP') await ended
  }
}
