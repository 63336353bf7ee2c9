/** An engine that dies now and then, and is rebuilt from a snapshot and the commands since. */

import type { Command, Engine, Parts, Ports } from '../engine/index.ts'
import { rebuild } from './rebuild.ts'

/** Whether the ports have heard of a command by the time the engine dies. */
export type Death = 'heard' | 'unheard'

/**
 * A new snapshot is taken once so many commands were logged since the last: soon after the start,
 * so that short runs are rebuilt from the middle of their work as well, then less and less often.
 */
const commandsPerSnapshot = { first: 7, growth: 2, most: 200 } as const

export class CrashRecord {
  #snapshot: string
  #log: Command[] = []
  #untilNext: number = commandsPerSnapshot.first

  constructor(engine: Engine) {
    this.#snapshot = engine.snapshot()
  }

  note(command: Command, engine: Engine): void {
    this.#log.push(command)
    if (this.#log.length < this.#untilNext) return
    const { growth, most } = commandsPerSnapshot
    this.#untilNext = Math.min(most, this.#untilNext * growth)
    this.#snapshot = engine.snapshot()
    this.#log = []
  }

  /** The engine rebuilt, and whether it is in every byte what the dead one was. */
  rebuild(dead: Engine, ports: Ports, parts: Parts): { engine: Engine; isSame: boolean } {
    const engine = rebuild({ snapshot: this.#snapshot, log: this.#log }, ports, parts)
    return { engine, isSame: engine.snapshot() === dead.snapshot() }
  }
}
