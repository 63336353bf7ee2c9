/** Runs programs for tests, each in a process of its own, and keeps what they print. */

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'

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
