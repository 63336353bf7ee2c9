/**
 * The trace of a run: every accepted command and every event, one JSON line each. Two runs are
 * equal if their traces have the same hash.
 */

import type { Command, Event } from '../../engine/index.ts'
import { TextDigest } from '../random/digest.ts'

/**
 * Returns the trace lines of one accepted command and its events. The code builds each type of
 * event in one place, so the order of keys is stable.
 */
export function linesOf(command: Command, events: readonly Event[]): string {
  let lines = `{"command":${JSON.stringify(command)}}\n`
  for (const event of events) lines += `{"event":${JSON.stringify(event)}}\n`
  return lines
}

/** Text is hashed in pieces of about this many characters, because each call costs time. */
const pieceLength = 65_536

export class TraceHash {
  readonly #digest = new TextDigest()
  #piece = ''

  /** Writes a command with its events as one JSON value, which is faster than one line for each. */
  add(command: Command, events: readonly Event[]): void {
    this.#piece += JSON.stringify([command, events])
    if (this.#piece.length >= pieceLength) this.#flush()
  }

  /** SHA-256 of the whole trace, as hexadecimal text. Nothing can be added after this call. */
  digest(): string {
    this.#flush()
    return this.#digest.hex()
  }

  #flush(): void {
    this.#digest.add(this.#piece)
    this.#piece = ''
  }
}
