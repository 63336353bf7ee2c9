/** What must hold after a rehearsal, whatever has happened. */

import type { LogEntry } from '../../engine/index.ts'
import type { Register } from '../../server/replica/register.ts'
import { sweepMs } from '../../server/replica/replica.ts'
import { termMs } from '../../server/timing/term-keeper.ts'
import { type Endpoint, isSubscribedTo } from '../../server/webhooks/message.ts'
import type { Answered } from './clients.ts'
import { epochMs, type Failover, type SimulatedDatabase } from './database.ts'
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
type Judged = Outcome & { readonly replay: Replay }

export type Violation = { readonly property: string; readonly what: string }

type Properties<Subject> = Readonly<Record<string, (subject: Subject) => Iterable<string>>>

const properties: Properties<Judged> = {
  'one-history': oneHistory,
  'acknowledged-is-there': acknowledgedIsThere,
  'reads-show-what-was-acknowledged': readsAreFresh,
  'every-server-answers': everyServerAnswers,
  'wake-ups-are-due': wakeUpsAreDue,
  'one-clock': oneClock,
  'no-older-engine-after-a-newer': enginesGoForward,
  'one-id-one-message': oneIdOneMessage,
  'one-sender': oneSender,
  'one-works': oneWorks,
  'nothing-outdated-is-told': nothingOutdated,
  'work-goes-on': workGoesOn,
}

/** What can be asked only if the log replays. */
const ofWholeLogs: Properties<Judged> = {
  'servers-are-equal': serversAreEqual,
  'wake-ups-are-not-lost': wakeUpsAreNotLost,
  'webhooks-tell-what-is-in-the-log': onlyOfTheLog,
  'webhooks-are-not-lost': (judged) => ofEach(judged, notLost),
  'webhooks-keep-their-order': (judged) => ofEach(judged, inOrder),
  'outbox-is-whole': (judged) => ofEach(judged, outboxIsWhole),
}

export function violationsOf(outcome: Outcome): readonly Violation[] {
  const judged = { ...outcome, replay: replayOf(outcome.database.lines) }
  const asked = judged.replay.fault === null ? { ...properties, ...ofWholeLogs } : properties
  return Object.entries(asked).flatMap(([property, judge]) =>
    [...judge(judged)].slice(0, 1).map((what) => ({ property, what })),
  )
}

/** How much later than the read of its tail a turn may be committed, and how late a wake-up may be. */
const longestTurnMs = 1_100
const latestWakeMs = sweepMs + 500

/** The log has no gap, each entry follows from those before it, and the chain is whole. */
function* oneHistory({ replay: { fault } }: Judged): Generator<string> {
  if (fault !== null) yield fault
}

/** What was acknowledged is in the log as it was sent. Only a failover may lose it. */
function* acknowledgedIsThere({ database, answered }: Outcome): Generator<string> {
  for (const each of answered) {
    const { command, sequence, answeredMs } = each
    if (command === null || isLost(each, database.failovers)) continue
    const line = database.lines[sequence - 1]
    const entry: LogEntry | null = line ? JSON.parse(line.text) : null
    if (JSON.stringify(entry?.command) === command) continue
    yield `${command} was acknowledged as entry ${sequence} at ${Math.round(answeredMs)} ms, and is not there`
  }
}

/** It was done before a failover that lost it. A server that was suspended may tell it even later. */
function isLost({ sequence, workedMs }: Answered, failovers: readonly Failover[]): boolean {
  return failovers.some(({ atMs, kept }) => workedMs <= atMs && sequence > kept)
}

/** An answer that was on its way during a failover. */
const soonMs = 50

/** A read shows everything that anybody was answered before the read began. */
function* readsAreFresh({ answered, database }: Outcome): Generator<string> {
  const since = Math.max(-1, ...database.failovers.map(({ atMs }) => atMs + soonMs))
  const known = answered.filter(({ sentMs }) => sentMs > since)
  for (const { kind, sentMs, sequence } of known) {
    if (kind !== 'read') continue
    const missed = known.find(
      (earlier) => earlier.answeredMs < sentMs && earlier.sequence > sequence,
    )
    if (missed === undefined) continue
    yield `a read at ${Math.round(sentMs)} ms showed entry ${sequence}, after entry ${missed.sequence} was answered`
  }
}

/** All servers at one entry have the same state, to the byte. */
function* serversAreEqual({ replay: { register }, atTheEnd }: Judged): Generator<string> {
  const right = textOf(register)
  for (const [place, each] of atTheEnd.entries()) {
    if (each === null || each.sequence !== register.sequence) continue
    if (textOf(each) !== right) yield `server ${place} has another state than the log says`
  }
}

const textOf = (register: Register): string => register.saved().lines.join('\n')

/** When the faults are over, every server answers and knows the whole log. */
function* everyServerAnswers({ database, atTheEnd }: Outcome): Generator<string> {
  for (const [place, register] of atTheEnd.entries()) {
    if (register === null) yield `server ${place} does not answer after the faults`
    else if (register.sequence !== database.lines.length)
      yield `server ${place} knows ${register.sequence} of ${database.lines.length} entries`
  }
}

/** No queue is woken that did not ask for it at that time. */
function* wakeUpsAreDue({ replay }: Judged): Generator<string> {
  for (const { wakeAt, at, sequence } of replay.wakes)
    if (wakeAt === null || wakeAt > at)
      yield `entry ${sequence} wakes a queue that did not ask for it`
}

/** When the faults are over, every queue is woken that asked for it, and not late. */
function* wakeUpsAreNotLost({ database, replay }: Judged): Generator<string> {
  const left = { wakeAt: replay.register.wakeAt, at: database.now() }
  for (const { wakeAt, at } of [...replay.wakes, left]) {
    if (wakeAt === null) continue
    const lateMs = at - Math.max(wakeAt, epochMs + calmMs)
    if (lateMs > latestWakeMs) yield `a queue should have been woken ${lateMs} ms before it was`
  }
}

/** From then on nothing of the faults is left: no lock, no session, nobody who waits in vain. */
const calmMs = loadMs + 5_000

/** The time of an entry is that of the database when it was decided, and never runs backwards. */
function* oneClock({ database }: Outcome): Generator<string> {
  let last = 0
  for (const { text, sequence, storedAtMs } of database.lines) {
    const { at }: LogEntry = JSON.parse(text)
    if (at < last || at > storedAtMs || at < storedAtMs - longestTurnMs)
      yield `entry ${sequence} is of ${at - storedAtMs} ms relative to the clock of the database`
    last = at
  }
}

/** Once a newer engine has made an entry, no older one does. */
function* enginesGoForward({ database }: Outcome): Generator<string> {
  let newest = 0
  for (const { engine, sequence } of database.lines) {
    if (engine < newest) yield `entry ${sequence} is of engine ${engine}, after one of ${newest}`
    newest = Math.max(newest, engine)
  }
}

// The work on repositories.

/** What the server that works has reported: who it was, what it had seen, and who had the term. */
type Fact = {
  readonly server: string
  readonly seenMs: number
  readonly storedMs: number
  readonly holder: string | null
  /** A failover can lose a term too. Then two servers work until they ask again. */
  readonly isAfterFailover: boolean
}

function factsOf({ database: { lines, failovers } }: Judged): Fact[] {
  return lines.flatMap(({ text, storedAtMs, worker: holder }) => {
    const { queue, command, by }: LogEntry = JSON.parse(text)
    if (queue !== hosted || command.type !== 'reportPush' || by === undefined) return []
    const seenMs = 'commit' in command ? Number(command.commit) : 0
    const storedMs = storedAtMs - epochMs
    const isAfterFailover = failovers.some(
      ({ atMs }) => atMs <= storedMs + 1 && storedMs < atMs + termMs,
    )
    return [{ server: by.token, seenMs, storedMs, holder, isAfterFailover }]
  })
}

/** Of all servers one tells at a time: who has the term when that is stored. */
function* oneWorks(judged: Judged): Generator<string> {
  for (const { server, storedMs, holder, isAfterFailover } of factsOf(judged)) {
    if (server === holder || isAfterFailover) continue
    yield `${server} reported what it saw at ${storedMs} ms, when the term was that of ${holder ?? 'nobody'}`
  }
}

/** What was seen earlier is not reported after what was seen later. */
function* nothingOutdated(judged: Judged): Generator<string> {
  let newest = 0
  for (const { server, seenMs, storedMs, isAfterFailover } of factsOf(judged)) {
    if (seenMs < newest && !isAfterFailover)
      yield `${server} reported at ${storedMs} ms what it saw at ${seenMs} ms, after what was seen at ${newest} ms`
    newest = Math.max(newest, seenMs)
  }
}

/** A poll each second, with what it takes. */
const latestFactMs = 3_000

/** When the faults are over, somebody works. */
function* workGoesOn(judged: Judged): Generator<string> {
  const last = factsOf(judged).at(-1)
  const silentMs = quietMs - (last?.storedMs ?? 0)
  if (silentMs > latestFactMs) yield `for ${silentMs} ms nobody reported what is on the branch`
}

// Webhooks.

/** Nothing is sent that is not in the log. Only a failover may take it out of the log afterwards. */
function* onlyOfTheLog({ database, replay, receivers }: Judged): Generator<string> {
  if (database.failovers.length > 0) return
  const known = new Set(replay.messages.map(({ payload }) => payload))
  for (const { payload, endpoint, arrivedMs } of receivers.arrivals)
    if (!known.has(payload))
      yield `at ${Math.round(arrivedMs)} ms, at ${endpoint}: ${payload} is not in the log`
}

/** A repeated message has the same bytes, so a receiver may drop what it has seen by its id. */
function* oneIdOneMessage({ receivers }: Judged): Generator<string> {
  const seen = new Map<string, string>()
  for (const { id, payload } of receivers.arrivals) {
    const before = seen.get(id) ?? payload
    if (before !== payload) yield `${id} was ${before} and ${payload}`
    seen.set(id, payload)
  }
}

/** Of all servers one writes at a time, and posts: only during its term. */
function* oneSender({ database, receivers }: Judged): Generator<string> {
  for (const { sender, holder, at } of database.outboxes)
    if (sender !== holder)
      yield `${sender} wrote at ${at - epochMs} ms, when the term was that of ${holder ?? 'nobody'}`
  const terms = database.granted.filter(({ name }) => name === 'webhooks')
  for (const arrival of receivers.arrivals) {
    const at = epochMs + Math.floor(arrival.sentMs)
    const isOfTerm = terms.some(
      ({ server, from, until }) => server === arrival.sender && from <= at && at < until,
    )
    if (!isOfTerm)
      yield `${arrival.sender} posted at ${Math.round(arrival.sentMs)} ms without a term`
  }
}

/** A receiver: what came, and what must come, in order. No two messages of a log have the same payload. */
type Receiver = {
  readonly endpoint: Endpoint
  readonly database: SimulatedDatabase
  readonly arrivals: readonly Arrival[]
  readonly expected: readonly LoggedMessage[]
}

function* ofEach(
  { database, receivers, replay }: Judged,
  judge: (receiver: Receiver) => Iterable<string>,
): Generator<string> {
  for (const endpoint of database.endpoints) {
    const beginning = database.outbox.beginnings.get(endpoint.id) ?? Infinity
    const arrivals = receivers.arrivals.filter((each) => each.endpoint === endpoint.id)
    const expected = replay.messages.filter(
      ({ entry, type }) => entry > beginning && isSubscribedTo(endpoint, { type }),
    )
    yield* judge({ endpoint, database, arrivals, expected })
  }
}

/** When the faults are over, every receiver has accepted every message since it was added. */
function* notLost({ endpoint, database, arrivals, expected }: Receiver): Generator<string> {
  const { id } = endpoint
  const accepted = new Set(arrivals.flatMap((each) => (each.isAccepted ? each.payload : [])))
  if (!database.outbox.beginnings.has(id)) yield `nobody has begun to send to ${id}`
  const lost = expected.find(({ payload }) => !accepted.has(payload))
  if (lost) yield `${id} never accepted the message about entry ${lost.entry}: ${lost.payload}`
}

/** No message of a queue comes before the one ahead of it was accepted. */
function* inOrder({ arrivals, expected }: Receiver): Generator<string> {
  for (const name of new Set(expected.map(({ queue }) => queue))) {
    const line = expected.filter(({ queue }) => queue === name)
    const places = new Map(line.map(({ payload }, place) => [payload, place]))
    let accepted = 0
    for (const { payload, endpoint, arrivedMs, isAccepted } of arrivals) {
      const place = places.get(payload) ?? -1
      if (place > accepted)
        yield `at ${Math.round(arrivedMs)} ms, at ${endpoint}: ${payload} came ${place - accepted} places too early`
      if (place === accepted && isAccepted) accepted++
    }
  }
}

/** Whenever the outbox was written, each message up to its position had been accepted, or is kept in it. */
function* outboxIsWhole({ endpoint, database, arrivals, expected }: Receiver): Generator<string> {
  const { id } = endpoint
  const accepted = arrivals.filter(({ isAccepted }) => isAccepted).toReversed()
  const acceptedAt = new Map(
    accepted.map(({ payload, arrivedMs }) => [payload, epochMs + Math.floor(arrivedMs)]),
  )
  for (const { position, at, lines, isOfLog } of database.outboxes) {
    if (!isOfLog) yield `entry ${position.sequence} was written, and the log did not have it`
    // After a failover it may be the outbox of another log.
    if (database.lines[position.sequence - 1]?.chain !== position.chain) continue
    const kept = new Set(
      lines.flatMap(({ line }) =>
        line.line === 'message' && line.to.includes(id) ? line.message.payload : [],
      ),
    )
    const lost = expected.find(
      ({ entry, payload }) =>
        entry <= position.sequence &&
        !kept.has(payload) &&
        (acceptedAt.get(payload) ?? Infinity) > at,
    )
    if (lost)
      yield `at ${at - epochMs} ms the position was ${position.sequence} without ${lost.payload}`
  }
}
