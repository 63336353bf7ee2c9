/** What must hold after a rehearsal, whatever has happened. */

import type { Register } from '../../server/replica/register.ts'
import { sweepMs } from '../../server/replica/replica.ts'
import { termMs } from '../../server/timing/term-keeper.ts'
import { isSubscribedTo, queueOf } from '../../server/webhooks/message.ts'
import type { Answered } from './clients.ts'
import type { SimulatedDatabase, TermName } from './database.ts'
import { loadMs } from './plan.ts'
import type { Arrival, Receivers } from './network.ts'
import { type LoggedMessage, type Replay, replayOf } from './replay.ts'
import { hosted, quietMs } from './worker.ts'

/** What has come of a rehearsal, to be judged. */
type Outcome = {
  readonly database: SimulatedDatabase
  readonly receivers: Receivers
  readonly answered: readonly Answered[]
  /** What each server knows at the end; null if it answered nobody. */
  readonly atTheEnd: readonly (Register | null)[]
}

/** An outcome with the log as one server alone replays it. */
type Judged = Outcome & { readonly replay: Replay; readonly reports: readonly Report[] }

export type Violation = { readonly property: string; readonly what: string }

export function violationsOf(outcome: Outcome): readonly Violation[] {
  const { database } = outcome
  const judged = { ...outcome, replay: replayOf(database), reports: reportsOf(database) }
  const found = violated(properties, [judged])
  if (judged.replay.fault !== null) return found
  const ofReceivers = violated(ofEachReceiver, receiversOf(judged))
  return [...found, ...violated(ofWholeLogs, [judged]), ...ofReceivers]
}

/** What must hold by its name: says what does not. */
type Properties<Subject> = Readonly<Record<string, (subject: Subject) => Iterable<string>>>

function violated<Subject>(all: Properties<Subject>, subjects: readonly Subject[]): Violation[] {
  return Object.entries(all).flatMap(([property, judge]) => {
    const [what] = subjects.flatMap((subject) => [...judge(subject)])
    return what === undefined ? [] : { property, what }
  })
}

/** An answer that was on its way during a failover. */
const soonMs = 50
/** From then on nothing of the faults is left: no lock, no session, nobody who waits in vain. */
const calmMs = loadMs + 5_000
/** How late a wake-up may be. */
const latestWakeMs = sweepMs + 500
/** A poll each second, with what it takes. */
const latestReportMs = 3_000

const properties: Properties<Judged> = {
  /** The log has no gap, each entry follows from those before it, and the chain is whole. */
  *'one-history'({ replay: { fault } }) {
    if (fault !== null) yield fault
  },

  /** What was acknowledged is in the log as it was sent. Only a failover may lose it. */
  *'acknowledged-is-there'({ database: { lines, failovers }, answered }) {
    for (const { command, sequence, workedMs, answeredMs } of answered) {
      // It was done before a failover that lost it. A server that was suspended may tell it even later.
      const isLost = failovers.some(({ at, kept }) => workedMs <= at && sequence > kept)
      if (command === null || isLost) continue
      if (JSON.stringify(lines[sequence - 1]?.entry.command) !== command)
        yield `${command} was acknowledged as entry ${sequence} at ${Math.round(answeredMs)} ms, and is not there`
    }
  },

  /** A read shows everything that anybody was answered before the read began. */
  *'reads-show-what-was-acknowledged'({ answered, database }) {
    const since = Math.max(-1, ...database.failovers.map(({ at }) => at + soonMs))
    const known = answered.filter(({ sentMs }) => sentMs > since)
    for (const { kind, sentMs, sequence } of known) {
      const missed = known.find(
        (earlier) => earlier.answeredMs < sentMs && earlier.sequence > sequence,
      )
      if (kind === 'read' && missed)
        yield `a read at ${Math.round(sentMs)} ms showed entry ${sequence}, after entry ${missed.sequence} was answered`
    }
  },

  /** When the faults are over, every server answers and knows the whole log. */
  *'every-server-answers'({ database, atTheEnd }) {
    for (const [place, register] of atTheEnd.entries()) {
      if (register === null) yield `server ${place} does not answer after the faults`
      else if (register.sequence !== database.lines.length)
        yield `server ${place} knows ${register.sequence} of ${database.lines.length} entries`
    }
  },

  /** No queue is woken that did not ask for it at that time. */
  *'wake-ups-are-due'({ replay }) {
    for (const { wakeAt, at, sequence } of replay.wakes)
      if (wakeAt === null || wakeAt > at)
        yield `entry ${sequence} wakes a queue that did not ask for it`
  },

  /** The time of an entry is one of the database while its turn had the lock, and never runs backwards. */
  *'one-clock'({ database }) {
    let last = 0
    for (const { entry, sequence, lockedAt, storedAt } of database.lines) {
      const { at } = entry
      if (at < last || at < lockedAt || at > storedAt)
        yield `entry ${sequence} is of ${at - storedAt} ms relative to the clock of the database`
      last = at
    }
  },

  /** Once a newer engine has made an entry, no older one does. */
  *'no-older-engine-after-a-newer'({ database }) {
    let newest = 0
    for (const { engine, sequence } of database.lines) {
      if (engine < newest) yield `entry ${sequence} is of engine ${engine}, after one of ${newest}`
      newest = Math.max(newest, engine)
    }
  },

  /** A repeated message has the same bytes, so a receiver may drop what it has seen by its id. */
  *'one-id-one-message'({ receivers }) {
    const seen = new Map<string, string>()
    for (const { id, payload } of receivers.arrivals) {
      const before = seen.get(id) ?? payload
      if (before !== payload) yield `${id} was ${before} and ${payload}`
      seen.set(id, payload)
    }
  },

  /** Of all servers one writes the outbox at a time, and posts. */
  *'one-sender'({ database, receivers }) {
    const posts = receivers.arrivals.map(({ server, sentMs }) => ({ server, at: sentMs }))
    yield* withoutTerm(database, 'webhooks', { wrote: database.outboxes, posted: posts })
  },

  /** Of all servers one reports what it has seen of a repository. */
  *'one-works'({ database, reports }) {
    yield* withoutTerm(database, 'hosts', { reported: reports })
  },

  /** What was seen earlier is not reported after what was seen later, unless a failover lost the term. */
  *'nothing-outdated-is-told'({ database, reports }) {
    let newest = 0
    for (const { server, seenMs, at } of reports) {
      const isAfterFailover = database.failovers.some(
        (failover) => failover.at <= at + 1 && at < failover.at + termMs,
      )
      if (seenMs < newest && !isAfterFailover)
        yield `${server} reported at ${at} ms what it saw at ${seenMs} ms, after what was seen at ${newest} ms`
      newest = Math.max(newest, seenMs)
    }
  },

  /** When the faults are over, somebody works. */
  *'work-goes-on'({ reports }) {
    const silentMs = quietMs - (reports.at(-1)?.at ?? 0)
    if (silentMs > latestReportMs) yield `for ${silentMs} ms nobody reported what is on the branch`
  },
}

type Act = { readonly server: string; readonly at: number }

/** What only one server does at a time it does in a term that the database has granted, also if a failover has lost it. */
function* withoutTerm(
  { terms }: SimulatedDatabase,
  name: TermName,
  acts: Readonly<Record<string, readonly Act[]>>,
): Generator<string> {
  for (const [did, all] of Object.entries(acts))
    for (const { server, ...act } of all) {
      const at = Math.floor(act.at)
      const isInTerm = terms.some(
        (term) =>
          term.name === name && term.server === server && term.from <= at && at <= term.until,
      )
      if (!isInTerm) yield `${server} ${did} at ${at} ms without a term`
    }
}

/** What a server that works has reported, and when it had seen that. */
type Report = Act & { readonly seenMs: number }

function reportsOf({ lines }: SimulatedDatabase): Report[] {
  return lines.flatMap(({ entry: { queue, command, by }, storedAt }) => {
    if (queue !== hosted || command.type !== 'reportPush' || by === undefined) return []
    const seenMs = 'commit' in command ? Number(command.commit) : 0
    return { server: by.token, at: storedAt, seenMs }
  })
}

/** What can be asked only if the log replays. */
const ofWholeLogs: Properties<Judged> = {
  /** All servers at one entry have the same state, to the byte. */
  *'servers-are-equal'({ replay: { register }, atTheEnd }) {
    const textOf = (each: Register): string => each.saved().lines.join('\n')
    const right = textOf(register)
    for (const [place, each] of atTheEnd.entries())
      if (each?.sequence === register.sequence && textOf(each) !== right)
        yield `server ${place} has another state than the log says`
  },

  /** When the faults are over, every queue is woken that asked for it, and not late. */
  *'wake-ups-are-not-lost'({ database, replay }) {
    const left = { wakeAt: replay.register.wakeAt, at: database.now() }
    for (const { wakeAt, at } of [...replay.wakes, left]) {
      const lateMs = wakeAt === null ? 0 : at - Math.max(wakeAt, calmMs)
      if (lateMs > latestWakeMs) yield `a queue should have been woken ${lateMs} ms before it was`
    }
  },

  /** Nothing is sent that is not in the log. Only a failover may take it out of the log afterwards. */
  *'webhooks-tell-what-is-in-the-log'({ database, replay, receivers }) {
    const known = new Set(replay.messages.map(({ payload }) => payload))
    for (const { payload, endpoint, arrivedMs } of receivers.arrivals)
      if (!known.has(payload) && database.failovers.length === 0)
        yield `at ${Math.round(arrivedMs)} ms, at ${endpoint}: ${payload} is not in the log`
  },
}

/** A receiver: what it has accepted, and what must come, in order. No two messages of a log have the same payload. */
type Receiver = {
  readonly id: string
  readonly database: SimulatedDatabase
  readonly arrivals: readonly Arrival[]
  readonly expected: readonly LoggedMessage[]
  /** When a payload was accepted first, by the clock of the database; infinite if it never was. */
  readonly acceptedMs: (payload: string) => number
}

function receiversOf({ database, receivers, replay }: Judged): Receiver[] {
  return database.endpoints.map((endpoint) => {
    const { id } = endpoint
    const first = database.outboxes.find(
      ({ isLost, lines }) =>
        !isLost && lines.some(({ line }) => line.line === 'endpoint' && line.endpoint === id),
    )
    // If nobody has begun to send to it, it has lost everything.
    const beginning = first?.position.sequence ?? 0
    const arrivals = receivers.arrivals.filter((each) => each.endpoint === id)
    const accepted = new Map<string, number>()
    for (const { payload, isAccepted, arrivedMs } of arrivals)
      if (isAccepted && !accepted.has(payload)) accepted.set(payload, Math.floor(arrivedMs))
    return {
      id,
      database,
      arrivals,
      expected: replay.messages.filter(
        (each) => each.entry > beginning && isSubscribedTo(endpoint, each),
      ),
      acceptedMs: (payload) => accepted.get(payload) ?? Infinity,
    }
  })
}

const ofEachReceiver: Properties<Receiver> = {
  /** When the faults are over, it has accepted every message since it was added. */
  *'webhooks-are-not-lost'({ id, expected, acceptedMs }) {
    const lost = expected.find(({ payload }) => acceptedMs(payload) === Infinity)
    if (lost) yield `${id} never accepted the message about entry ${lost.entry}: ${lost.payload}`
  },

  /** No message of a queue comes before the one ahead of it was accepted. */
  *'webhooks-keep-their-order'({ id, expected, arrivals, acceptedMs }) {
    const ahead = new Map<string, string>()
    for (const message of expected) {
      const { payload } = message
      const before = ahead.get(queueOf(message))
      const { arrivedMs = Infinity } = arrivals.find((each) => each.payload === payload) ?? {}
      if (before !== undefined && arrivedMs < acceptedMs(before))
        yield `at ${Math.round(arrivedMs)} ms, at ${id}: ${payload} came before ${before}`
      ahead.set(queueOf(message), payload)
    }
  },

  /** Whenever the outbox was written, each message up to its position had been accepted, or is kept in it. */
  *'outbox-is-whole'({ id, database, expected, acceptedMs }) {
    for (const { position, at, lines, isOfLog } of database.outboxes) {
      if (!isOfLog) yield `entry ${position.sequence} was written, and the log did not have it`
      // After a failover it may be the outbox of another log.
      if (database.lines[position.sequence - 1]?.chain !== position.chain) continue
      const isKept = (payload: string): boolean =>
        lines.some(
          ({ line }) =>
            line.line === 'message' && line.to.includes(id) && line.message.payload === payload,
        )
      const lost = expected.find(
        ({ entry, payload }) =>
          entry <= position.sequence && !isKept(payload) && acceptedMs(payload) > at,
      )
      if (lost) yield `at ${at} ms the position was ${position.sequence} without ${lost.payload}`
    }
  },
}
