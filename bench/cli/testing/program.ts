/** Runs programs for tests, each in a process of its own, and keeps what they print. */

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { executable } from '../../benchmarks/served.ts'
import { Client, Contract } from '../../../server/testing/client.ts'

export type Program = {
  readonly process: ChildProcess
  /** What it has written to standard output so far, and to standard error. */
  readonly out: () => string
  readonly log: () => string
  /** Both, as they came. */
  readonly all: () => string
  /** Settles when it has written this to one of them; rejects with both if it ends before. */
  readonly prints: (text: RegExp) => Promise<RegExpExecArray>
  /** The exit code, when it has ended and nobody writes its output any more; null if a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sends the signal, and waits for the end. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>
}

export function startProgram(
  [program = '', ...args]: readonly string[],
  options: SpawnOptions = {},
): Program {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, log, all] = ['', '', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (all += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const prints = (text: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = text.exec(out) ?? text.exec(log)
        if (found) resolve(found)
      }
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      child.once('close', () => reject(new Error(`it ended without ${text}: ${all}`)))
      look()
    })
  const end = (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  return { process: child, out: () => out, log: () => log, all: () => all, prints, ended, end }
}

/** The processes of test runs of the server with this data folder, in which their home is; only Linux shows it. */
export function testProcesses(data: string): string[] {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${data}/`)
    } catch {
      return false
    }
  })
}

/** A server in a separate process, for tests that load or kill it. */
export const childToken = 'admin-token-of-a-child'

export type ChildServer = Program & { readonly url: string }

export const clientOf = ({ url }: Pick<ChildServer, 'url'>): Client =>
  new Client(url, childToken, new Contract())

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

/** Starts `serve` as a user does, with the token that it writes for commands of this machine. */
export function startServe(
  options: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<ChildServer> {
  const unset = { MERGEYARD_TOKEN: undefined, ...variables }
  return startWith([process.execPath], options, unset, 'serve')
}

/** Starts a server with these options, and more variables. */
export async function startWith(
  program: readonly string[],
  options: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  command: 'start' | 'serve' = 'start',
): Promise<ChildServer> {
  const env = { ...process.env, MERGEYARD_TOKEN: childToken, ...variables }
  const args = [...program, executable, command, '--port', '0', ...options]
  const server = startProgram(args, { env })
  const [, url = ''] = await server.prints(/listens on (http:\/\/\S+),/)
  return { ...server, url }
}
