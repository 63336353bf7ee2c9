/**
 * The record of a run: every accepted command and every event. As text, a JSON line each, it is
 * there for whoever asks for it; its hash says in one line whether two runs were the same.
 */

import { createHash } from 'node:crypto'
import type { Command, Event } from '../engine/index.ts'

/** One accepted command and what came of it. Each event is built in one place, so keys keep order. */
export function linesOf(command: Command, events: readonly Event[]): string {
  let lines = `{"command":${JSON.stringify(command)}}\n`
  for (const event of events) lines += `{"event":${JSON.stringify(event)}}\n`
  return lines
}

/** Text is hashed in pieces of about this many characters: each call has its price. */
const pieceLength = 65_536

export class TraceHash {
  readonly #hash = createHash('sha256')
  #piece = ''

  /** A command with its events is one piece of JSON: a line for each takes longer to write. */
  add(command: Command, events: readonly Event[]): void {
    this.#piece += JSON.stringify([command, events])
    if (this.#piece.length >= pieceLength) this.#flush()
  }

  /** SHA-256 of the whole trace. Nothing can be added afterwards. */
  digest(): string {
    this.#flush()
    return this.#hash.digest('hex')
  }

  #flush(): void {
    this.#hash.update(this.#piece)
    this.#piece = ''
  }
}
