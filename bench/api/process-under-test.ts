/** A program in a separate process that listens on a port and reports its use of resources. */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Hold, Reading } from './gauge.ts'

const gauge = new URL('./gauge.js', import.meta.url).href
const listens = /listens on (http:\/\/[^\s,]+)/

type ProcessOptions = {
  /** The path of the program. */
  readonly program: string
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

export class ProcessUnderTest {
  readonly url: string
  /** From the start of the process until the program prints that it listens. */
  readonly startNs: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string, startNs: number) {
    this.#child = child
    this.url = url
    this.startNs = startNs
  }

  /**
   * Starts the program and waits until it prints that it listens. Throws an error with its output
   * if the program ends before that.
   */
  static async start({ program, args = [], env = {} }: ProcessOptions): Promise<ProcessUnderTest> {
    const begun = process.hrtime.bigint()
    const child = fork(program, [...args], {
      execArgv: ['--import', gauge],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const url = await addressOf(child)
    return new ProcessUnderTest(child, url, Number(process.hrtime.bigint() - begun))
  }

  /** Returns the processor time and memory that the process has used. */
  async read(): Promise<Reading> {
    const answered = once(this.#child, 'message')
    this.#child.send('read')
    const [reading]: Reading[] = await answered
    if (!reading) throw new Error('the process under test did not answer')
    return reading
  }

  /** Does `work` and returns the longest turn of the event loop meanwhile, in processor time. */
  async worstHoldNs(work: () => Promise<unknown>): Promise<number> {
    this.#child.send('watch')
    await work()
    const answered = once(this.#child, 'message')
    this.#child.send('hold')
    const [hold]: Hold[] = await answered
    if (!hold) throw new Error('the process under test did not answer')
    return hold.worstNs
  }

  /** Ends the process: SIGTERM shuts it down, SIGKILL kills it at once. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    await ended
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const onData = (data: Buffer): void => {
      output += data.toString()
      const [, url] = listens.exec(output) ?? []
      if (url === undefined) return
      // The access log that follows is not kept: that would take time from the requests of this process.
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', onData).resume()
      resolve(url)
    }
    child.stdout?.on('data', onData)
    child.stderr?.on('data', onData)
    child.once('exit', () => reject(new Error(`the program did not start: ${output}`)))
  })
}
