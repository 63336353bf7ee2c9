/**
 * Reads the shared log for somebody who needs every command in order, with what it did. It has a state of its
 * own, because that of a replica can jump to a saved one.
 */

import type { AppliedCommand } from '../queues/publisher.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import { queueRefFrom } from '../identity/queue-ref.ts'
import { engineVersion } from './engine-version.ts'
import { NewerEngine } from './faults.ts'
import type { Head, LogDatabase } from './log-database.ts'
import { Register } from './register.ts'

/**
 * So many digits of the chain stand for the epoch of a command. In a shared log the epoch never changes, but
 * after a failover another command can come to the place of one that was lost. Their chains differ.
 */
const chainDigits = 10

export class Follower {
  readonly #database: LogDatabase
  readonly #register: Register
  readonly #engine: number
  /** What is up to this entry is not returned. */
  #after: number

  private constructor(database: LogDatabase, register: Register, engine: number) {
    this.#database = database
    this.#register = register
    this.#engine = engine
    this.#after = register.sequence
  }

  /** Opens the log behind this entry; null: behind its last one; `saved`: behind the newest saved state. */
  static async open(
    database: LogDatabase,
    after: number | null | 'saved',
    engine = engineVersion,
  ): Promise<Follower> {
    const isGiven = typeof after === 'number'
    const saved = await database.savedState(isGiven ? after : undefined)
    const follower = new Follower(database, Register.from(saved, engine), engine)
    if (isGiven) follower.#after = after
    if (after === null) await follower.next()
    return follower
  }

  /** The state after what was returned. */
  get registry(): QueueRegistry {
    return this.#register.manager.registry
  }

  /** Everything up to here was returned. */
  get position(): Pick<Head, 'sequence' | 'chain'> {
    const { sequence, chain } = this.#register
    return { sequence, chain }
  }

  /** What was appended since the last call. Throws `LogDiffers` if the log is another one than before. */
  async next(): Promise<readonly AppliedCommand[]> {
    const tail = await this.#database.look(this.#register.sequence)
    if (tail.head.engine > this.#engine) throw new NewerEngine(tail.head.engine, this.#engine)
    const found: AppliedCommand[] = []
    this.#register.catchUp(tail, (entry, { events, notices }, chain) => {
      const { sequence, at, queue: name, command, by } = entry
      if (sequence <= this.#after) return
      const queue = name === null ? null : queueRefFrom(name)
      const epoch = chain.slice(0, chainDigits)
      found.push({ sequence, at, epoch, queue, command, events, notices, ...(by && { by }) })
    })
    return found
  }
}
