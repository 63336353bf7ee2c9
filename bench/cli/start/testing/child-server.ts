/** A server in a separate process, for tests that load or kill it. */

import { spawn, type ChildProcess } from 'node:child_process'
import { executable } from '../../../benchmarks/served.ts'

const listens = /listens on (http:\/\/\S+),/

export const childToken = 'admin-token-of-a-child'

export type ChildServer = {
  readonly url: string
  readonly process: ChildProcess
  /** Everything written to standard error. */
  readonly log: () => string
  /** Resolves to the exit code, or null if a signal ended the process. */
  readonly ended: Promise<number | null>
}

/** Starts a server on any free port. Resolves when it listens. */
export function startChild(data: string, ...more: readonly string[]): Promise<ChildServer> {
  return startUnder([process.execPath], data, ...more)
}

/** Starts a server with another program, for example `unshare ... node`. */
export function startUnder(
  program: readonly string[],
  data: string,
  ...more: readonly string[]
): Promise<ChildServer> {
  return startWith(program, ['--data', data, ...more])
}

/** Starts a server with these options, and more variables. */
export function startWith(
  [program = '', ...args]: readonly string[],
  options: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  command: 'start' | 'serve' = 'start',
): Promise<ChildServer> {
  const child = spawn(program, [...args, executable, command, '--port', '0', ...options], {
    env: { ...process.env, MERGEYARD_TOKEN: childToken, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, log] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
  })
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server did not start: ${log}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const url = listens.exec(out)?.[1]
      if (url !== undefined) resolve({ url, process: child, log: () => log, ended })
    })
  })
}
