/**
 * What one server knows of a shared log: the state after its last entry. It follows what others have
 * appended, and collects what this server decides until that is committed.
 */

import { createHash } from 'node:crypto'
import type { LogEntry, Millis } from '../../engine/index.ts'
import { QueueManager } from '../queues/queue-manager.ts'
import { isProven } from '../queues/proof.ts'
import {
  noWakes,
  QueueRegistry,
  type RegistryState,
  type ManagerOutcome,
} from '../queues/queue-registry.ts'
import { linesOfState, stateOfLines } from '../store/snapshot-file.ts'
import { engineVersion } from './engine-version.ts'
import {
  LogDiffers,
  firstChain,
  type Head,
  type Line,
  type SavedState,
  type Tail,
} from './log-database.ts'

/** Is called with each entry that is replayed, and what it did. */
type OnReplayed = (
  entry: LogEntry,
  outcome: Extract<ManagerOutcome, { accepted: true }>,
  chain: string,
) => void

export class Register {
  readonly manager: QueueManager
  readonly #engine: number
  #chain: string
  #now: Millis = 0
  /** What this server has decided since the last commit. */
  #decided: Line[] = []
  #nextEpoch: string | null = null

  private constructor(state: RegistryState | null, chain: string, engine: number) {
    this.#chain = chain
    this.#engine = engine
    const registry = new QueueRegistry(noWakes, state)
    this.manager = new QueueManager(registry, {
      now: () => this.#now,
      nextEpoch: () => this.#nextEpoch,
      log: {
        append: (entry) => {
          this.#nextEpoch = null
          this.#decided.push(this.#lineOf(entry))
        },
        durable: () => undefined,
      },
    })
  }

  /** The state that was saved, or that of an empty log. */
  static from(saved: SavedState | null, engine = engineVersion): Register {
    return saved === null
      ? new Register(null, firstChain, engine)
      : new Register(stateOfLines(saved, saved.lines), saved.chain, engine)
  }

  get sequence(): number {
    return this.manager.registry.sequence
  }

  get chain(): string {
    return this.#chain
  }

  /** The time of the database when the log was read last. */
  get now(): Millis {
    return this.#now
  }

  /** When the first queue must be woken; null: never. */
  get wakeAt(): Millis | null {
    let first: Millis | null = null
    for (const { engine } of this.manager.registry.running) {
      const { wakeAt } = engine.queue
      if (wakeAt !== null && (first === null || wakeAt < first)) first = wakeAt
    }
    return first
  }

  /** In how many milliseconds of the database the first queue must be woken; null: never. */
  get dueInMs(): Millis | null {
    const { wakeAt } = this
    return wakeAt === null ? null : wakeAt - this.#now
  }

  /** The next entry that this server decides begins this epoch. */
  beginEpoch(epoch: string): void {
    this.#nextEpoch = epoch
  }

  /** Replays what others have appended. Throws `LogDiffers` if it is not the log that was known. */
  catchUp(tail: Tail, onReplayed?: OnReplayed): void {
    const { now, epoch, head, chainBefore, lines } = tail
    if (chainBefore !== this.#chain)
      throw new LogDiffers(`entry ${this.sequence} of the log is not the one that was known`)
    const { registry } = this.manager
    if (!registry.hasEpoch(epoch)) registry.beginEpoch(epoch)
    for (const line of lines) this.#replay(line, onReplayed)
    if (this.#chain !== head.chain || this.sequence !== head.sequence)
      throw new LogDiffers(
        `the log ends at entry ${head.sequence}, and its lines do not lead there`,
      )
    // One clock for all servers, which never runs backwards, also if another database has taken over.
    this.#now = Math.max(now, head.at)
  }

  #replay({ sequence, text, chain }: Line, onReplayed?: OnReplayed): void {
    const entry: LogEntry = JSON.parse(text)
    const outcome = this.manager.registry.apply(entry)
    if (!outcome.accepted || !isProven(entry, outcome.events))
      throw new LogDiffers(`entry ${sequence} decides otherwise here than it did`)
    this.#chain = chainAfter(this.#chain, text)
    if (this.#chain !== chain) throw new LogDiffers(`entry ${sequence} has another chain`)
    onReplayed?.(entry, outcome, chain)
  }

  /**
   * Wakes each queue whose wake-up is due, as this server sees it after catching up. One that stops at that keeps no
   * other from it.
   */
  wakeDue(onFault: (error: unknown) => void): void {
    for (const { name, engine } of this.manager.registry.running) {
      const { wakeAt } = engine.queue
      if (wakeAt === null || wakeAt > this.#now) continue
      try {
        this.manager.send(name, { type: 'wake' })
      } catch (error) {
        onFault(error)
      }
    }
  }

  /** What was decided since the last call, and where the log ends with it. */
  takeDecided(): { readonly lines: readonly Line[]; readonly head: Head } {
    const lines = this.#decided
    this.#decided = []
    const { sequence, at } = this.manager.registry
    const head = { sequence, at, chain: this.#chain, engine: this.#engine, wakeAt: this.wakeAt }
    return { lines, head }
  }

  saved(): SavedState {
    const { registry } = this.manager
    const lines = linesOfState(registry.state())
    const { sequence, at } = registry
    return { sequence, at, chain: this.#chain, engine: this.#engine, lines }
  }

  #lineOf(entry: LogEntry): Line {
    const text = JSON.stringify(entry)
    this.#chain = chainAfter(this.#chain, text)
    return { sequence: entry.sequence, text, chain: this.#chain }
  }
}

// The chain over a log: each entry carries a hash of the one before, and of itself with the proof of what it decided.
//
// It notices what a log with several writers can suffer and a folder cannot: a tail that was lost in a
// failover, two versions of the engine beside each other, and an engine that is not deterministic.

const digits = 32

/** The chain after an entry, of its JSON, which contains the proof of its events. */
export function chainAfter(before: string, text: string): string {
  return createHash('sha256').update(`${before}\n${text}`).digest('hex').slice(0, digits)
}
