/**
 * One of several servers on a shared log. Nobody owns the log: who wants to change something takes a turn.
 *
 * A turn: lock the head, read what others have appended, let everybody decide who wants to change something, append
 * that, and commit. Only then is anybody answered. A read needs no lock: one query of the head shows
 * everything that was acknowledged before it began. So who only reads, which can take long, comes after the turn.
 *
 * Whatever goes wrong in a turn, nobody has seen what was decided in it. So the register is thrown away,
 * everybody who waits is told to ask again, and the next turn begins with what the log says.
 */

import type { Millis } from '../../engine/index.ts'
import { type Enter, type Kind, StoreUnavailable } from '../queues/entrance.ts'
import { engineVersion } from './engine-version.ts'
import {
  LogDiffers,
  NewerEngine,
  type Head,
  type Line,
  type LogDatabase,
  type Tail,
  type Turn,
} from './log-database.ts'
import { drawEpoch } from '../identity/ids.ts'
import { Register } from './register.ts'
import type { Timers } from '../timing/timers.ts'

export type ReplicaOptions = {
  readonly database: LogDatabase
  /** Default: the version of this build. */
  readonly engine?: number
  /** After so many entries the state is saved. */
  readonly saveEvery?: number
  /** Called for what an administrator must know. */
  readonly onFault?: (error: unknown) => void
  /** Names an epoch as no other has been named. */
  readonly drawEpoch?: () => string
  /** Called after each round: in how many milliseconds a queue must be woken; null: never. */
  readonly onDue?: (inMs: Millis | null) => void
}

const defaultSaveEvery = 5_000

export class Replica {
  readonly #options: ReplicaOptions
  readonly #engine: number
  #register: Register | null = null
  /** The last entry of the last state that was saved or loaded. */
  #savedAt = 0
  #waiting: Waiting[] = []
  #isBusy = false
  /** A newer engine has taken over: nothing is decided here any more. */
  #isOutdated = false

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#engine = options.engine ?? engineVersion
  }

  /** False once a newer engine has taken the log over. */
  get isCurrent(): boolean {
    return !this.#isOutdated
  }

  /** The state as of the last round; null if nothing is known. */
  get register(): Register | null {
    return this.#register
  }

  /**
   * Runs `work` on the state after everything that was committed before this call, and settles with its
   * result when what it has sent is committed. Rejects with `StoreUnavailable` if that is not known.
   */
  readonly enter: Enter = (kind, work) => this.#enter(kind, ({ manager }) => work(manager))

  /** Reads what others have appended, also when queues are to be woken. */
  poll(): Promise<void> {
    return this.#enter('read', () => undefined)
  }

  /** Wakes the queues whose wake-up is due. If there are none after catching up, nothing is written. */
  wakeDue(): Promise<void> {
    const { onFault = () => undefined } = this.#options
    return this.#enter('write', (register) => register.wakeDue(onFault))
  }

  /** Saves the state, so that the next start need not replay what led to it. */
  async save(): Promise<void> {
    const register = this.#register
    if (register && mayBeSaved(register, this.#savedAt))
      await this.#options.database.saveState(register.saved())
  }

  #enter<T>(kind: Kind, work: (register: Register) => T | Promise<T>): Promise<T> {
    return new Promise((resolve, refuse) => {
      let result: { readonly value: T } | null = null
      this.#waiting.push({
        kind,
        work: async (register) => {
          const worked = work(register)
          result = { value: worked instanceof Promise ? await worked : worked }
        },
        settle: () => result && resolve(result.value),
        refuse,
      })
      if (!this.#isBusy) void this.#rounds()
    })
  }

  /** Everybody who came during a round shares the next one. */
  async #rounds(): Promise<void> {
    this.#isBusy = true
    // Those who ask in the same turn of the event loop share a round as well.
    await Promise.resolve()
    for (let waiting = this.#take(); waiting.length > 0; waiting = this.#take())
      await this.#round(waiting)
    this.#isBusy = false
  }

  #take(): Waiting[] {
    const waiting = this.#waiting
    this.#waiting = []
    return waiting
  }

  /** Never rejects: everybody who waits is settled or refused. */
  async #round(waiting: readonly Waiting[]): Promise<void> {
    const writing = waiting.filter(({ kind }) => kind === 'write')
    const reading = waiting.filter(({ kind }) => kind === 'read')
    try {
      const register = await (writing.length > 0 ? this.#turn(writing) : this.#upToDate())
      this.#options.onDue?.(register.dueInMs)
      for (const { settle } of await workOf(reading, register)) settle()
    } catch (error) {
      this.#register = null
      if (!(error instanceof NewerEngine)) this.#options.onFault?.(error)
      const refusal = new StoreUnavailable(error)
      for (const { refuse } of waiting) refuse(refusal)
    }
  }

  /** Settles when what was decided is committed, and who decided knows it. */
  async #turn(writing: readonly Waiting[]): Promise<Register> {
    const turn = new OpenTurn(this.#options.database)
    try {
      const register = await this.#upToDate(turn)
      const served = await workOf(writing, register)
      const { lines, head } = register.takeDecided()
      await turn.commit(lines, head)
      for (const { settle } of served) settle()
      this.#saveSometimes(register)
      return register
    } finally {
      await turn.end()
    }
  }

  /** Reads what others have appended, and begins the turn with it. A register that does not fit the log is loaded again. */
  async #upToDate(turn?: OpenTurn): Promise<Register> {
    const { database, onFault } = this.#options
    const read = (after: number): Promise<Tail> => database.readTail(after)
    const begin = turn ? (after: number): Promise<Tail> => turn.begin(after) : read
    const known = this.#register
    try {
      if (known) return await this.#follow(known, begin)
    } catch (error) {
      if (!(error instanceof LogDiffers)) throw error
      onFault?.(error)
      await turn?.end()
    }
    // What follows the saved state can be long, so it is replayed while nobody waits for the lock.
    const saved = await database.savedState()
    this.#savedAt = saved?.sequence ?? 0
    const loading = Register.from(saved, this.#engine)
    // What follows an older copy that was restored, or a tail that was lost, must not have the ids of what is gone.
    loading.beginEpoch((this.#options.drawEpoch ?? drawEpoch)())
    const loaded = await this.#follow(loading, read)
    return turn ? this.#follow(loaded, begin) : loaded
  }

  async #follow(register: Register, read: (after: number) => Promise<Tail>): Promise<Register> {
    const tail = await read(register.sequence)
    this.#isOutdated = tail.head.engine > this.#engine
    if (this.#isOutdated) throw new NewerEngine(tail.head.engine, this.#engine)
    register.catchUp(tail)
    this.#register = register
    return register
  }

  /** Saves the state now and then, beside the turns. Without it a start only takes longer. */
  #saveSometimes(register: Register): void {
    const { database, saveEvery = defaultSaveEvery, onFault } = this.#options
    if (!mayBeSaved(register, this.#savedAt + saveEvery - 1)) return
    this.#savedAt = register.sequence
    database.saveState(register.saved()).catch((error: unknown) => onFault?.(error))
  }
}

/** A queue that has stopped in the middle of a command is not what the log says of it. */
const mayBeSaved = ({ sequence, manager }: Register, after: number): boolean =>
  sequence > after && manager.registry.isWhole

/** The turn of a replica, which begins anew if the register must be loaded again in the middle. */
class OpenTurn {
  readonly #database: LogDatabase
  #turn: Turn | null = null

  constructor(database: LogDatabase) {
    this.#database = database
  }

  async begin(after: number): Promise<Tail> {
    this.#turn = await this.#database.begin(after)
    return this.#turn.tail
  }

  async commit(lines: readonly Line[], head: Head): Promise<void> {
    const turn = this.#turn
    if (lines.length === 0 || turn === null) return
    await turn.commit(lines, head)
    this.#turn = null
  }

  /** Ends what is open without a change. */
  async end(): Promise<void> {
    const turn = this.#turn
    this.#turn = null
    await turn?.rollBack()
  }
}

/** Somebody who waits for the next round. */
type Waiting = {
  readonly kind: Kind
  readonly work: (register: Register) => Promise<void>
  readonly settle: () => void
  readonly refuse: (error: unknown) => void
}

/**
 * Lets everybody work, one after another, and returns those who have something to settle. Work that
 * throws is refused by itself, unless it has changed something: then nothing of the round may stay.
 */
async function workOf(
  waiting: readonly Waiting[],
  register: Register,
): Promise<readonly Waiting[]> {
  const served: Waiting[] = []
  for (const each of waiting) {
    const before = register.sequence
    try {
      await each.work(register)
      served.push(each)
    } catch (error) {
      if (register.sequence !== before) throw error
      each.refuse(error)
    }
    if (each.kind === 'read' && register.sequence !== before)
      throw new Error('work that only reads has sent a command')
  }
  return served
}

// Wakes queues in time. Each server wakes at the instant that it knows of, and checks once a second whether
// another server has asked for a wake-up and is not there any more. Two servers that ring at once write one
// entry, because the second finds that nothing is due.

export const sweepMs = 1_000

export type Wakeable = Pick<Replica, 'poll' | 'wakeDue'>

export class Waker {
  readonly #replica: Wakeable
  readonly #timers: Timers
  #stopSweep: () => void = () => undefined
  #stopRing: () => void = () => undefined

  constructor(replica: Wakeable, timers: Timers) {
    this.#replica = replica
    this.#timers = timers
  }

  start(): void {
    this.#stopSweep = this.#timers.after(sweepMs, () => {
      // If the database cannot be reached, the next sweep tries again.
      this.#replica.poll().catch(() => undefined)
      this.start()
    })
  }

  stop(): void {
    this.#stopSweep()
    this.#stopRing()
  }

  /** Takes note of when the next queue is due; it replaces what was known. */
  note(inMs: number | null): void {
    this.#stopRing()
    // What is due later is seen by a later sweep.
    if (inMs === null || inMs > sweepMs) return
    this.#stopRing = this.#timers.after(Math.max(0, inMs), () => {
      this.#replica.wakeDue().catch(() => undefined)
    })
  }
}
