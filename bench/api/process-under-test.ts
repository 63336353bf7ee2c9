/** A program in a process of its own, that listens and can be asked what it takes. */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Reading } from './gauge.ts'

const gauge = new URL('./gauge.js', import.meta.url).href
const listens = /listens on (http:\/\/[^\s,]+)/

type Wish = {
  readonly program: URL
  readonly args?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

export class ProcessUnderTest {
  readonly url: string
  /** From being started to saying that it listens. */
  readonly startNs: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, url: string, startNs: number) {
    this.#child = child
    this.url = url
    this.startNs = startNs
  }

  /** Settles once it says that it listens. Throws with what it said when it ends instead. */
  static async start({ program, args = [], env = {} }: Wish): Promise<ProcessUnderTest> {
    const begun = process.hrtime.bigint()
    const child = fork(fileURLToPath(program), [...args], {
      execArgv: ['--import', gauge],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const url = await addressOf(child)
    return new ProcessUnderTest(child, url, Number(process.hrtime.bigint() - begun))
  }

  async read(): Promise<Reading> {
    const answered = once(this.#child, 'message')
    this.#child.send('read')
    const [reading]: Reading[] = await answered
    if (!reading) throw new Error('the process under test did not answer')
    return reading
  }

  /** Ends it in order, or at once. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    await ended
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    const hear = (data: Buffer): void => {
      said += data.toString()
      const [, url] = listens.exec(said) ?? []
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', () => reject(new Error(`it did not start: ${said}`)))
  })
}
