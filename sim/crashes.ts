/** An engine that dies now and then, and is rebuilt from a snapshot and the commands since. */

import type { Command, Engine, Parts, Ports } from '../engine/index.ts'
import { rebuild } from './rebuild.ts'

/** Whether the ports have heard of a command by the time the engine dies. */
export type Death = 'heard' | 'unheard'

/** A new snapshot is taken once this many commands were logged since the last. */
const commandsPerSnapshot = 200

export class CrashRecord {
  #snapshot: string
  #log: Command[] = []

  constructor(engine: Engine) {
    this.#snapshot = engine.snapshot()
  }

  note(command: Command, engine: Engine): void {
    this.#log.push(command)
    if (this.#log.length < commandsPerSnapshot) return
    this.#snapshot = engine.snapshot()
    this.#log = []
  }

  /** The engine rebuilt, and whether it is in every byte what the dead one was. */
  rebuild(dead: Engine, ports: Ports, parts: Parts): { engine: Engine; isSame: boolean } {
    const engine = rebuild({ snapshot: this.#snapshot, log: this.#log }, ports, parts)
    return { engine, isSame: engine.snapshot() === dead.snapshot() }
  }
}
