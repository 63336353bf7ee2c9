/** A server in a rehearsal: a real replica and a real waker, on a machine that crashes and pauses. */

import { pino } from 'pino'
import { Follower } from '../../server/replica/committed.ts'
import type { Head, Line, LogDatabase, Tail, Turn } from '../../server/replica/log-database.ts'
import { Replica, Waker } from '../../server/replica/replica.ts'
import type { Terms } from '../../server/timing/term-keeper.ts'
import type { OutboxDatabase } from '../../server/webhooks/outbox-database.ts'
import { Sender, type SenderPorts } from '../../server/webhooks/sender.ts'
import type { Session, SimulatedDatabase, TermName } from './database.ts'
import type { Defect } from './defect.ts'
import { type Receivers, Wire, type WireParts } from './network.ts'
import type { SimulatedTime } from './time.ts'
import { startWorker, workerPorts } from './worker.ts'

/** Small, so that states are saved and loaded in a rehearsal. */
const saveEvery = 20

export type ServerParts = {
  readonly time: SimulatedTime
  readonly database: SimulatedDatabase
  readonly draw: () => number
  readonly receivers: Receivers
  readonly defect: Defect | null
  readonly place: number
}

const logger = pino({ enabled: false })

export class SimulatedServer {
  readonly #parts: ServerParts
  #life = 0
  #replica: Replica | null = null
  #waker: Waker | null = null
  #sessions: Session[] = []
  /** What arrives during a pause is delivered after it. */
  #undelivered: (() => void)[] | null = null
  #isCut = false
  engine = 1

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  /** Null while the process is not running. */
  get replica(): Replica | null {
    return this.#replica
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Starts the process, with an empty memory. */
  start(): void {
    this.#life++
    const { time, database: stored, draw, defect, place } = this.#parts
    const life = this.#life
    const deliver = (act: () => void): void => this.#deliver(life, act)
    const wire = { time, draw, deliver, isCut: () => this.#isCut }
    const connection = connect(wire, stored, (session) => this.#sessions.push(session))
    const database = defect?.between?.(connection.log, place) ?? connection.log
    const replica = new Replica({
      database,
      engine: this.engine,
      saveEvery,
      onDue: (inMs) => waker.note(inMs),
    })
    const timers = { after: (ms: number, act: () => void) => time.after(ms, () => deliver(act)) }
    const waker = new Waker(defect?.waking?.(replica) ?? replica, timers)
    this.#replica = replica
    this.#waker = waker
    if (!defect?.hasNoSweep) waker.start()
    const ports = this.#senderPorts(wire, { ...connection, log: database }, replica)
    const sender = new Sender(defect?.sending?.(ports) ?? ports)
    sender.start()
    const work = workerPorts(wire, {
      database,
      engine: this.engine,
      enter: replica.enter,
      isAble: () => replica.isCurrent,
      terms: connection.termsOf('hosts'),
      server: this.#name,
    })
    startWorker(wire, defect?.working?.(work) ?? work)
  }

  get #name(): string {
    return `server ${this.#parts.place}, life ${this.#life}`
  }

  #senderPorts(
    wire: WireParts,
    { log, outbox, termsOf }: ReturnType<typeof connect>,
    replica: Replica,
  ): SenderPorts {
    const { time, receivers, defect } = this.#parts
    const name = this.#name
    const { engine } = this
    return {
      name,
      logger,
      isAble: () => replica.isCurrent,
      pageOf: () => null,
      database: defect?.betweenOutbox?.(outbox) ?? outbox,
      terms: termsOf('webhooks'),
      follow: (after) => Follower.open(log, after, engine),
      post: (endpoint, message) => receivers.post(wire, name, endpoint, message),
      clock: () => time.nowMs,
      timers: {
        now: () => time.nowMs,
        after: (ms, act) => time.after(ms, () => wire.deliver(act)),
      },
    }
  }

  /** The process ends. The system closes its connections; without power nobody does. */
  crash({ hasPower }: { readonly hasPower: boolean }): void {
    this.#waker?.stop()
    this.#replica = null
    this.#waker = null
    this.#undelivered = null
    const sessions = this.#sessions
    this.#sessions = []
    if (hasPower) for (const session of sessions) this.#parts.database.end(session)
  }

  pause(): void {
    this.#undelivered ??= []
  }

  resume(): void {
    const undelivered = this.#undelivered ?? []
    this.#undelivered = null
    for (const act of undelivered) act()
  }

  cut(isCut: boolean): void {
    this.#isCut = isCut
  }

  /** Something arrives from outside, or a timer rings. */
  deliver(act: () => void): void {
    this.#deliver(this.#life, act)
  }

  #deliver(life: number, act: () => void): void {
    if (this.#replica === null || life !== this.#life) return
    if (this.#undelivered) this.#undelivered.push(() => this.#deliver(life, act))
    else act()
  }
}

// What a server sees of the database.

/** `onSession` is called with the session of a turn, which ends with the process of the server. */
export function connect(
  parts: WireParts,
  database: SimulatedDatabase,
  onSession: (session: Session) => void = () => undefined,
) {
  const wire = new Wire(parts)
  const begin = async (after: number): Promise<Turn> => {
    const session: Session = { isOpen: true, stopIdle: () => undefined }
    onSession(session)
    const end = (): void => wire.tell(() => database.end(session))
    const tail = await wire
      .ask<Tail>((answer, refuse) =>
        database.begin(session, after, answer, () => refuse('the lock was not free in time')),
      )
      .catch((error: unknown) => {
        // The connection is closed, and the database notices it sooner or later.
        end()
        throw error
      })
    return {
      tail,
      commit: (lines: readonly Line[], head: Head) =>
        wire.ask<void>((answer, refuse) => {
          if (database.commit(session, lines, head)) answer()
          else refuse('the session has ended')
        }),
      rollBack: () => Promise.resolve(end()),
    }
  }
  const log: LogDatabase = {
    begin,
    readTail: (after) => wire.ask((answer) => answer(database.readTail(after))),
    savedState: (upTo) => wire.ask((answer) => answer(database.savedState(upTo))),
    saveState: (state) => wire.ask((answer) => answer(database.saveState(state))),
  }
  const outbox: OutboxDatabase = {
    write: (...write) => wire.ask((answer) => answer(database.writeOutbox(...write))),
    read: () => wire.ask((answer) => answer(database.readOutbox())),
    endpoints: () => wire.ask((answer) => answer(database.endpoints)),
  }
  const termsOf = (name: TermName): Terms => ({
    take: (server) => wire.ask((answer) => answer(database.takeTerm(name, server))),
    giveBack: (server) => wire.ask((answer) => answer(database.giveBackTerm(name, server))),
  })
  return { log, outbox, termsOf }
}
