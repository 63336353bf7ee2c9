/** The signals that stop a service. */

import { once } from 'node:events'

/**
 * Returns a signal that aborts on the first SIGINT or SIGTERM, with its name as the reason. It is
 * aborted from the start if `interrupted` is. Further signals have no effect, because `timeout`, npm
 * and terminals send one to the process and one to its group.
 */
export function stopSignal(interrupted: AbortSignal): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort(name))
  if (interrupted.aborted) stop.abort('SIGINT')
  return stop.signal
}

/** Resolves when one of the signals has aborted. */
export async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  if (signals.some(({ aborted }) => aborted)) return
  await Promise.race(signals.map((signal) => once(signal, 'abort')))
}
