/** Output of commands: results go to standard output, everything else to standard error. */

import { once } from 'node:events'
import { Writable } from 'node:stream'
import picocolors from 'picocolors'
import type { Colors, Formatter } from 'picocolors/types.js'
import { folded, own, toTerminal, visible } from './text.ts'

export type Terminal = { readonly stdout: Writable; readonly stderr: Writable }

/** Writes all texts at the pace of the reader. If the reader closes the stream, stops silently. */
export async function writeAll(to: Writable, texts: Iterable<string>): Promise<void> {
  for (const text of texts) {
    if (to.destroyed) return
    if (!to.write(text)) await drainedOrClosed(to)
  }
}

/** Writes a text for people, folded to the width of a terminal. */
export function writeText(to: Writable, text: string): Promise<void> {
  return writeAll(to, [folded(text, widthOf(to))])
}

/** Waits until the stream accepts more or is closed, and then for nothing. A closed reader first causes an error. */
async function drainedOrClosed(to: Writable): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  try {
    await Promise.race([once(to, 'drain', { signal }), once(to, 'close', { signal })])
  } catch {
    to.destroy()
  } finally {
    over.abort()
  }
}

/** Returns colours for a terminal that supports them, and plain text otherwise. */
export function colorsFor(to: Writable, env: NodeJS.ProcessEnv): Colors {
  const isTerminal = isTerminalStream(to)
  const isDisabled = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== ''
  const colors = picocolors.createColors(isTerminal && !isDisabled && env['TERM'] !== 'dumb')
  return colors.isColorSupported ? ownColors(colors) : colors
}

/** The same colours, as sequences that a `TerminalStream` lets through. */
function ownColors(colors: Colors): Colors {
  const made = { ...colors }
  const entries: [string, boolean | Formatter][] = Object.entries(colors)
  for (const [name, format] of entries) {
    if (typeof format === 'boolean') continue
    const [before = '', after = ''] = format('\0').split('\0')
    const [begin, end] = [before, after].map((each) => own(each.slice(1)))
    Object.assign(made, { [name]: (text: unknown) => `${begin}${visible(String(text))}${end}` })
  }
  return made
}

/** The boundary to people: whatever a command writes, the terminal obeys only sequences of our own. */
class TerminalStream extends Writable {
  readonly isTTY = true
  /** Takes everything as it is. */
  readonly raw: Writable

  constructor(raw: Writable) {
    super({ decodeStrings: false })
    this.raw = raw
    raw.once('close', () => this.destroy())
  }

  override _write(chunk: Buffer | string, _encoding: string, done: () => void): void {
    // A fault is told by the stream below.
    this.raw.write(toTerminal(String(chunk)), () => done())
  }
}

/** A stream of this process for the output of commands. What is no terminal gets everything as it is. */
export function outputOf(stream: Writable): Writable {
  return isTerminalStream(stream) ? new TerminalStream(stream) : stream
}

/** For programs that move the cursor themselves, such as progress bars: what they show must be `visible`. */
export function rawOf(stream: Writable): Writable {
  return stream instanceof TerminalStream ? stream.raw : stream
}

export function isTerminalStream(stream: Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}

export type Look = {
  readonly colors: Colors
  /** The columns of the terminal; null: it is none. */
  readonly width: number | null
}

/** How a text looks on the output of a command. */
export function lookOf(context: {
  readonly stdout: Writable
  readonly env: NodeJS.ProcessEnv
}): Look {
  const { stdout, env } = context
  return { colors: colorsFor(stdout, env), width: widthOf(stdout) }
}

/** The columns of a terminal; null: it is none, or does not say. */
export const widthOf = (stream: Writable): number | null => sizeOf(stream, 'columns')

/** The same of its rows. */
export const heightOf = (stream: Writable): number | null => sizeOf(stream, 'rows')

function sizeOf(stream: Writable, name: 'columns' | 'rows'): number | null {
  const size: unknown = Reflect.get(rawOf(stream), name)
  return typeof size === 'number' && size > 0 ? size : null
}
