/** The signals that stop a service, and waits that end. */

import { once } from 'node:events'
import { statOf } from './processes.ts'

/** SIGHUP comes when the terminal closes. Windows has no SIGTERM, but SIGHUP and SIGINT. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP, with its name as the reason,
 * and when npm, which started the process, is gone. It is aborted from the start if `interrupted` is.
 * Further signals have no effect, because `timeout`, npm and terminals send one to the process and one
 * to its group.
 */
export function stopSignal(interrupted: AbortSignal, env: NodeJS.ProcessEnv): AbortSignal {
  const stop = new AbortController()
  for (const name of stopSignals) process.on(name, () => stop.abort(name))
  if (interrupted.aborted) stop.abort('SIGINT')
  if (env['npm_lifecycle_event'] !== undefined) watchParents(() => stop.abort('npm is gone'))
  return stop.signal
}

/**
 * Aborts with `signal`, and when the time is over. `AbortSignal.any` does not keep a timeout that nobody else has: it
 * never comes once garbage is collected.
 */
export function signalOrAfter(signal: AbortSignal, ms: number): AbortSignal {
  const late = new AbortController()
  // The timer keeps it.
  setTimeout(() => late.abort(new DOMException('it takes too long', 'TimeoutError')), ms).unref()
  return AbortSignal.any([signal, late.signal])
}

/** Resolves when one of the signals has aborted. */
export async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return
  await Promise.race(signals.map((signal) => once(signal, 'abort')))
}

// Notices that the processes are gone that started this one. npm starts a command by a shell and hands
// signals on, but a killed npm hands nothing on.

const checkEveryMs = 500

/** Calls `onGone` once, when the parent, or on Linux the parent of a shell in between, has ended. */
function watchParents(onGone: () => void): void {
  const before = parents()
  const timer = setInterval(() => {
    if (parents() === before) return
    clearInterval(timer)
    onGone()
  }, checkEveryMs).unref()
}

const shells: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'ash', 'busybox'])

/**
 * The parent, and its parent if the parent is a shell. A process whose parent ends gets another one.
 * The parent of npm itself may end: so ends the shell of a person who logs out.
 */
function parents(): string {
  const { name, fields } = statOf(process.ppid)
  const [, parent] = fields
  return shells.has(name) ? `${process.ppid} ${parent}` : `${process.ppid}`
}
