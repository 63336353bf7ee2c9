/** Output of commands: results go to standard output, everything else to standard error. */

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import picocolors from 'picocolors'
import type { Colors } from 'picocolors/types.js'

export type Terminal = { readonly stdout: Writable; readonly stderr: Writable }

/** Writes all texts at the pace of the reader. If the reader closes the stream, stops silently. */
export async function writeAll(to: Writable, texts: Iterable<string>): Promise<void> {
  for (const text of texts) {
    if (to.destroyed) return
    if (!to.write(text)) await drainedOrClosed(to)
  }
}

/** Waits until the stream accepts more or is closed. A closed reader first causes an error. */
async function drainedOrClosed(to: Writable): Promise<void> {
  try {
    await Promise.race([once(to, 'drain'), once(to, 'close')])
  } catch {
    to.destroy()
  }
}

/** Returns colours for a terminal that supports them, and plain text otherwise. */
export function colorsFor(to: Writable, env: NodeJS.ProcessEnv): Colors {
  const isTerminal = isTerminalStream(to)
  const isDisabled = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== ''
  return picocolors.createColors(isTerminal && !isDisabled && env['TERM'] !== 'dumb')
}

export function isTerminalStream(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}
