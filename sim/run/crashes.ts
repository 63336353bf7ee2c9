/** The record from which a crashed engine is rebuilt: a snapshot and the commands since. */

import type { Command, Engine, EngineParts, Ports } from '../../engine/index.ts'
import { rebuild } from './recover.ts'

/**
 * A new snapshot is taken after this many commands: soon after the start, so that short runs are
 * also rebuilt in the middle of their work, then less and less often.
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

  /**
   * Returns the rebuilt engine, and whether its state equals that of the crashed one in every byte.
   */
  rebuild(crashed: Engine, ports: Ports, parts: EngineParts): { engine: Engine; isSame: boolean } {
    const engine = rebuild({ snapshot: this.#snapshot, log: this.#log }, ports, parts)
    return { engine, isSame: engine.snapshot() === crashed.snapshot() }
  }
}
