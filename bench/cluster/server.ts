/** A server in a rehearsal: a real replica and a real waker, on a machine that crashes and pauses. */

import { pino } from 'pino'
import { Follower } from '../../server/replica/committed.ts'
import { Replica, type Wakeable, Waker } from '../../server/replica/replica.ts'
import type { Terms } from '../../server/timing/term-keeper.ts'
import { type LogFollower, Sender } from '../../server/webhooks/sender.ts'
import { connect } from './connection.ts'
import type { Session, SimulatedDatabase } from './database.ts'
import type { Defect } from './defects.ts'
import type { Receivers } from './network.ts'
import type { SimulatedTime } from './time.ts'
import { startWorker } from './worker.ts'

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
  #epochs = 0
  #sessions: Session[] = []
  /** What arrives during a pause is delivered after it. */
  #undelivered: (() => void)[] | null = null
  /** Null while the process is not running. */
  replica: Replica | null = null
  isCut = false
  engine = 1

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  /** Starts the process, with an empty memory. */
  start(): void {
    const { time, database: stored, draw, receivers, defect, place } = this.#parts
    const life = ++this.#life
    const { engine } = this
    const deliver = (act: () => void): void => this.deliver(act, life)
    const link = { time, draw, deliver, isCut: () => this.isCut }
    const onSession = (session: Session): void => void this.#sessions.push(session)
    const { log, outbox, termsOf } = connect(link, stored, { defect, place, onSession })
    const replica = new Replica({
      database: log,
      engine,
      saveEvery,
      drawEpoch: () => `${place}${String(++this.#epochs).padStart(9, '0')}`,
      onDue: (inMs) => waker.note(inMs),
    })
    const timers = {
      now: () => time.nowMs,
      after: (ms: number, act: () => void) => time.after(ms, () => deliver(act)),
    }
    const waker = new Waker(wakeable(replica, defect), timers)
    waker.start()
    this.replica = replica
    const name = `server ${place}, life ${life}`
    const ports = { timers, isAble: () => replica.isCurrent }
    const clock = (): number => time.nowMs
    /** It does not go on, so no term is ever over. */
    const stopped = (): number => 0
    const isTrusting = defect === 'posts-after-its-term' || defect === 'anybody-writes-the-outbox'
    new Sender({
      ...ports,
      clock: isTrusting ? stopped : clock,
      name,
      logger,
      pageOf: () => null,
      database: outbox,
      terms: termsOf('webhooks'),
      follow: async (after) => {
        const from = defect === 'begins-at-the-end-of-the-log' ? null : after
        const followed = await Follower.open(log, from, engine)
        return defect === 'ids-without-the-chain' ? plain(followed) : followed
      },
      post: (endpoint, message) => receivers.post(link, name, endpoint, message),
    }).start()
    startWorker(link, {
      ...ports,
      clock: defect === 'a-term-for-ever' ? stopped : clock,
      database: log,
      engine,
      enter: replica.enter,
      terms: hostTerms(termsOf('hosts'), defect),
      server: name,
      ...(defect === 'tells-after-its-term' ? { within: (enter) => enter } : {}),
    })
  }

  /** The process ends. The system closes its connections; without power nobody does. */
  crash({ hasPower }: { readonly hasPower: boolean }): void {
    this.replica = null
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

  /** Something arrives from outside, or a timer rings. Only the process that waits for it gets it. */
  deliver(act: () => void, life = this.#life): void {
    if (this.replica === null || life !== this.#life) return
    if (this.#undelivered) this.#undelivered.push(() => this.deliver(act, life))
    else act()
  }
}

function wakeable(replica: Replica, defect: Defect | null): Wakeable {
  if (defect === 'no-sweep')
    return { poll: () => Promise.resolve(), wakeDue: () => replica.wakeDue() }
  if (defect !== 'wakes-without-a-read') return replica
  return {
    poll: () => replica.poll(),
    wakeDue: () =>
      replica.enter('write', (manager) => {
        for (const { name } of manager.registry.queues) manager.send(name, { type: 'wake' })
      }),
  }
}

const plain = (log: LogFollower): LogFollower => ({
  get position() {
    return log.position
  },
  next: async () => (await log.next()).map((applied) => ({ ...applied, epoch: 'always' })),
})

function hostTerms(terms: Terms, defect: Defect | null): Terms {
  let isRefused = false
  return {
    ...terms,
    take: async (server) => {
      if (defect === 'asks-for-the-term-once' && isRefused) return false
      isRefused = !(await terms.take(server))
      return defect === 'works-without-a-term' || !isRefused
    },
  }
}
