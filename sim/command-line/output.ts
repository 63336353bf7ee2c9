/** Where words go: results on standard output, everything else on standard error. */

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import picocolors from 'picocolors'
import type { Colors } from 'picocolors/types.js'

export type Terminal = { readonly stdout: Writable; readonly stderr: Writable }

/** Writes all of it, at the pace of the reader; a reader that goes away ends it quietly. */
export async function writeAll(to: Writable, texts: Iterable<string>): Promise<void> {
  for (const text of texts) {
    if (to.destroyed) return
    if (!to.write(text)) await readyOrGone(to)
  }
}

/** A reader that goes away shows as an error of the stream first. */
async function readyOrGone(to: Writable): Promise<void> {
  try {
    await Promise.race([once(to, 'drain'), once(to, 'close')])
  } catch {
    to.destroy()
  }
}

/** Colours for a terminal that wants them; plain text everywhere else. */
export function colorsFor(to: Writable, env: NodeJS.ProcessEnv): Colors {
  const isTerminal = isTerminalStream(to)
  const isRefused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== ''
  return picocolors.createColors(isTerminal && !isRefused && env['TERM'] !== 'dumb')
}

export function isTerminalStream(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}
