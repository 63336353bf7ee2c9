/** A server in a rehearsal: a real replica and a real waker, on a machine that crashes and pauses. */

import { pino } from 'pino'
import { Follower } from '../../server/replica/committed.ts'
import { Replica, Waker } from '../../server/replica/replica.ts'
import type { Enter } from '../../server/queues/entrance.ts'
import type { QueueManager } from '../../server/queues/queue-manager.ts'
import { Sender } from '../../server/webhooks/sender.ts'
import { connect } from './connection.ts'
import type { SimulatedDatabase } from './database.ts'
import type { Defect } from './defects.ts'
import type { Process, Receivers } from './network.ts'
import type { SimulatedTime } from './time.ts'
import { startWorker } from './worker.ts'

/** Small, so that states are saved and loaded in a rehearsal. */
const saveEvery = 20
/** The clocks of two machines. */
const minutesApartMs = 150_000

/** What all servers of a rehearsal have in common. */
export type World = {
  readonly time: SimulatedTime
  readonly draw: () => number
  readonly database: SimulatedDatabase
  readonly receivers: Receivers
  readonly defect: Defect | null
  /** The version of the engine to which servers are updated. */
  engine: number
}

const logger = pino({ enabled: false })

export class SimulatedServer {
  readonly #world: World
  readonly #place: number
  #lives = 0
  /** What arrives during a pause is delivered after it. */
  #undelivered: (() => void)[] | null = null
  /** Both are null while the process is not running. */
  #process: Process | null = null
  replica: Replica | null = null
  isCut = false
  #engine = 1

  constructor(world: World, place: number) {
    this.#world = world
    this.#place = place
  }

  /** Starts the process, with an empty memory. */
  start(): void {
    const { database, draw, receivers, defect } = this.#world
    const engine = this.#engine
    const process = this.#begin()
    const { name, timers } = process
    const { log, outbox, termsOf } = connect(process, database)
    const replica = new Replica({
      database: log,
      engine,
      saveEvery,
      drawEpoch: () => draw().toFixed(10).slice(2),
      onDue: (inMs) => waker.note(inMs),
    })
    const blind = { poll: () => replica.poll(), wakeDue: () => replica.enter('write', wakeAll) }
    const waker = new Waker(defect === 'wakes-without-a-read' ? blind : replica, timers)
    if (defect !== 'no-sweep') waker.start()
    this.replica = replica
    const isAble = (): boolean => replica.isCurrent
    /** Their time does not go on, so no term is ever over. */
    const stopped = { ...timers, now: () => 0 }
    const isTrusting = defect === 'posts-after-its-term' || defect === 'anybody-writes-the-outbox'
    new Sender({
      isAble,
      timers: isTrusting ? stopped : timers,
      name,
      logger,
      pageOf: () => null,
      database: outbox,
      terms: termsOf('webhooks'),
      follow: (after) =>
        Follower.open(log, defect === 'begins-at-the-end-of-the-log' ? null : after, engine),
      post: (endpoint, { id, payload }) => {
        const plain = defect === 'ids-without-the-chain' ? id.replace(/_[0-9a-f]{10}_/, '_') : id
        return receivers.post(process, endpoint, { id: plain, payload })
      },
    }).start()
    startWorker(process, {
      isAble,
      timers: defect === 'a-term-for-ever' ? stopped : timers,
      database: log,
      engine,
      enter: replica.enter,
      terms: termsOf('hosts'),
      ...(defect === 'tells-after-its-term' ? { within: (enter) => enter } : {}),
    })
  }

  /** What a call does when it arrives. Without a process it never settles. */
  readonly enter: Enter = (kind, work) =>
    new Promise((resolve, reject) => {
      this.#process?.deliver(() => void this.replica?.enter(kind, work).then(resolve, reject))
    })

  /** The process ends. The system closes its connections; without power nobody does. */
  crash({ hasPower }: { readonly hasPower: boolean }): void {
    if (hasPower && this.#process) this.#world.database.endOf(this.#process.name)
    this.#process = null
    this.replica = null
    this.#undelivered = null
  }

  /** Starts the process with the newest engine. */
  update(): void {
    this.crash({ hasPower: true })
    this.#engine = this.#world.engine
    this.start()
  }

  pause(): void {
    this.#undelivered ??= []
  }

  resume(): void {
    const undelivered = this.#undelivered ?? []
    this.#undelivered = null
    for (const act of undelivered) act()
  }

  /** What does not heal by itself: links, pauses, machines that are off, and the last step of a rolling update. */
  heal(): void {
    this.isCut = false
    this.resume()
    if (this.#engine !== this.#world.engine || this.replica === null) this.update()
  }

  #begin(): Process {
    const { time, draw, defect } = this.#world
    /** Something arrives from outside, or a timer rings. Only the process that waits for it gets it. */
    const deliver = (act: () => void): void => {
      if (this.#process !== process) return
      if (this.#undelivered) this.#undelivered.push(act)
      else act()
    }
    const process: Process = {
      name: `server ${this.#place}, life ${++this.#lives}`,
      time,
      timers: {
        now: () => time.nowMs + (1 + this.#place) * minutesApartMs,
        after: (ms, act) => time.after(ms, () => deliver(act)),
      },
      draw,
      isCut: () => this.isCut,
      deliver,
      defect,
    }
    this.#process = process
    return process
  }
}

function wakeAll(manager: QueueManager): void {
  for (const { name } of manager.registry.queues) manager.send(name, { type: 'wake' })
}
