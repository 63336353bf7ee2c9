/** A server as a process of its own, in tests: to be loaded, and killed. */

import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../main.js', import.meta.url))
const listens = /listens on (http:\/\/\S+),/

export const childToken = 'admin-token-of-a-child'

export type ChildServer = {
  readonly url: string
  readonly process: ChildProcess
  /** Everything it has said on standard error. */
  readonly log: () => string
  /** Settles when it is gone: with its exit code, or null where a signal ended it. */
  readonly ended: Promise<number | null>
}

/** Starts it on any free port; settles when it listens. */
export function startChild(data: string, ...more: readonly string[]): Promise<ChildServer> {
  const environment = { ...process.env, MERGEYARD_TOKEN: childToken }
  const child = spawn(process.execPath, [program, '--port', '0', '--data', data, ...more], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, log] = ['', '']
  child.stderr.on('data', (data_: Buffer) => (log += data_.toString()))
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
  })
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`it did not start: ${log}`)))
    child.stdout.on('data', (data_: Buffer) => {
      said += data_.toString()
      const url = listens.exec(said)?.[1]
      if (url !== undefined) resolve({ url, process: child, log: () => log, ended })
    })
  })
}
