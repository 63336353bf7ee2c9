/**
 * What is committed, as a server with a data folder sees its queues: a registry, the commands that are applied to
 * it in order, and a way to send. For those who watch or work on queues on their own, between requests: the
 * state of a replica is not for them, because during a turn it has what may still be thrown away.
 */

import type { Actor, RecordedCommand } from '../../engine/index.ts'
import type { ManagerOutcome, QueueRegistry } from '../queues/queue-registry.ts'
import { appliedOf, tellAll, type Subscriber, type AppliedCommand } from '../queues/publisher.ts'
import { LogDiffers, NewerEngine, type LogDatabase, type Head } from './log-database.ts'
import type { Replica } from './replica.ts'
import type { Timers } from '../timing/timers.ts'
import { engineVersion } from './engine-version.ts'
import { Register } from './register.ts'

export type CommittedPorts = {
  readonly database: LogDatabase
  readonly enter: Replica['enter']
  readonly timers: Timers
  /** Default: the version of this build. */
  readonly engine?: number
  readonly onFault: (error: unknown) => void
  /** The log is another one than before: every queue is a new object, and commands may have been left out. */
  readonly onReplaced?: () => void
}

/** What other servers have appended is seen so late at most. */
const stepMs = 250

export class Committed {
  readonly #ports: CommittedPorts
  readonly #subscribers = new Set<Subscriber>()
  #follower: Follower
  /** One after the other, so that everybody gets the commands in order. */
  #following: Promise<void> = Promise.resolve()
  #isClosed = false
  #cancel = (): void => undefined

  private constructor(ports: CommittedPorts, follower: Follower) {
    this.#ports = ports
    this.#follower = follower
  }

  /** Begins behind the last entry of the log; `saved`: behind the newest saved state. */
  static async open(ports: CommittedPorts, since: 'saved' | null = null): Promise<Committed> {
    const committed = new Committed(ports, await followerOf(ports, since))
    committed.#step()
    return committed
  }

  get registry(): QueueRegistry {
    return this.#follower.registry
  }

  /** Calls `subscriber` for every later command. Returns a function that ends that. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }

  /**
   * Settles when the command is decided, and what it did is seen here. Rejects with `StoreUnavailable` if that
   * is not known.
   */
  async ask(
    queue: string,
    command: RecordedCommand,
    actor: Actor | null = null,
  ): Promise<ManagerOutcome> {
    const outcome = await this.#ports.enter('write', (manager) =>
      manager.send(queue, command, actor),
    )
    await this.follow()
    return outcome
  }

  /** Reads what was appended, and tells the subscribers. */
  follow(): Promise<void> {
    this.#following = this.#following.catch(() => undefined).then(() => this.#next())
    return this.#following
  }

  /** Settles when nobody is called any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel()
    this.#subscribers.clear()
    await this.#following.catch(() => undefined)
  }

  async #next(): Promise<void> {
    try {
      const applied = await this.#follower.next()
      for (const each of applied) tellAll([...this.#subscribers], each)
    } catch (error) {
      if (!(error instanceof LogDiffers)) throw error
      this.#ports.onFault(error)
      this.#follower = await followerOf(this.#ports)
      this.#ports.onReplaced?.()
    }
  }

  #step(): void {
    if (this.#isClosed) return
    this.#cancel = this.#ports.timers.after(stepMs, () => {
      // If the database cannot be reached, the next step tries again.
      void this.follow()
        .catch(() => undefined)
        .then(() => this.#step())
    })
  }
}

const followerOf = (
  { database, engine }: CommittedPorts,
  since: 'saved' | null = null,
): Promise<Follower> => Follower.open(database, since, engine)

/**
 * What is committed, from the first time that somebody asks for it. Following the log takes a second state of
 * all queues, and replays every command once more.
 */
export class CommittedOnDemand {
  readonly #ports: CommittedPorts
  readonly #subscribers: Subscriber[] = []
  #committed: Committed | null = null
  #opening: Promise<void> | null = null
  #isOpen = false
  #isClosed = false

  constructor(ports: CommittedPorts) {
    this.#ports = ports
  }

  /** Receives every command since it was opened, and before that those since the newest saved state. */
  subscribe(subscriber: Subscriber): void {
    this.#subscribers.push(subscriber)
  }

  /** Settles when `registry` shows all that was committed before. If it rejects, the next call tries again. */
  async open(): Promise<void> {
    if (this.#isClosed) throw new Error('the server is stopping')
    if (this.#isOpen) return
    this.#opening ??= this.#begin().finally(() => {
      this.#opening = null
    })
    await this.#opening
  }

  /** Only what is open has one. */
  get registry(): QueueRegistry {
    if (!this.#committed) throw new Error('nobody has asked for what is committed')
    return this.#committed.registry
  }

  /** Settles when nobody is called any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening?.catch(() => undefined)
    await this.#committed?.close()
  }

  async #begin(): Promise<void> {
    const committed = await Committed.open(this.#ports, 'saved')
    this.#committed = committed
    try {
      for (const subscriber of this.#subscribers) committed.subscribe(subscriber)
      await committed.follow()
      this.#isOpen = true
    } catch (error) {
      this.#committed = null
      await committed.close()
      throw error
    }
  }
}

// Reads the shared log for somebody who needs every command in order, with what it did. It has a state of its
// own, because that of a replica can jump to a saved one.

/**
 * So many digits of the chain stand for the epoch of a command. After a failover another command can come to the place
 * of one that was lost, before a server notices that and begins an epoch. Their chains differ at once.
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
    const tail = await this.#database.readTail(this.#register.sequence)
    if (tail.head.engine > this.#engine) throw new NewerEngine(tail.head.engine, this.#engine)
    const found: AppliedCommand[] = []
    this.#register.catchUp(tail, (entry, outcome, chain) => {
      if (entry.sequence <= this.#after) return
      found.push(appliedOf(entry, outcome, chain.slice(0, chainDigits)))
    })
    return found
  }
}
