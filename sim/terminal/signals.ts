/** The signals that stop a service. */

import { once } from 'node:events'
import { watchParents } from './parents.ts'

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

/** Resolves when one of the signals has aborted. */
export async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return
  await Promise.race(signals.map((signal) => once(signal, 'abort')))
}
