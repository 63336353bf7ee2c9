/** What must hold after a rehearsal, whatever has happened. */

import type { LogEntry } from '../../engine/index.ts'
import type { Register } from '../../server/replica/register.ts'
import { sweepMs } from '../../server/replica/replica.ts'
import { termMs } from '../../server/timing/term-keeper.ts'
import { type Endpoint, isSubscribedTo } from '../../server/webhooks/message.ts'
import type { OutboxLine } from '../../server/webhooks/outbox.ts'
import type { Answered } from './clients.ts'
import { epochMs, type SimulatedDatabase } from './database.ts'
import { loadMs } from './plan.ts'
import type { Arrival, Receivers } from './network.ts'
import { type LoggedMessage, type Replay, replayOf } from './replay.ts'
import { hosted, quietMs } from './worker.ts'

/** What has come of a rehearsal, to be judged. */
export type Failover = { readonly atMs: number; readonly kept: number }

type Outcome = {
  readonly database: SimulatedDatabase
  readonly receivers: Receivers
  readonly answered: readonly Answered[]
  readonly failovers: readonly Failover[]
  /** What each server knows at the end; null if it answered nobody. */
  readonly atTheEnd: readonly (Register | null)[]
}

/** An outcome with the log as one server alone replays it. */
type Judged = Outcome & { readonly replay: Replay }

// What must hold of the work on repositories after a rehearsal, whatever has happened.

const workProperties: Readonly<Record<string, (outcome: Judged) => Iterable<string>>> = {
  'one-works': oneWorks,
  'nothing-outdated-is-told': nothingOutdated,
  'work-goes-on': workGoesOn,
}

/** What the server that works has reported: who it was, what it had seen, and who had the term. */
type Fact = {
  readonly server: string
  readonly seenMs: number
  readonly storedMs: number
  readonly holder: string | null
}

function factsOf({ database }: Judged): Fact[] {
  return database.lines.flatMap(({ text, storedAtMs, worker: holder }) => {
    const { queue, command, by }: LogEntry = JSON.parse(text)
    if (queue !== hosted || command.type !== 'reportPush' || by === undefined) return []
    const seenMs = 'commit' in command ? Number(command.commit) : 0
    return [{ server: by.token, seenMs, storedMs: storedAtMs - epochMs, holder }]
  })
}

/** A failover can lose a term too. Then two servers work until they ask again. */
const isAfterFailover = (failovers: readonly Failover[], { storedMs }: Fact): boolean =>
  failovers.some(({ atMs }) => atMs <= storedMs + 1 && storedMs < atMs + termMs)

/** Of all servers one tells at a time: who has the term when that is stored. */
function* oneWorks(judged: Judged): Generator<string> {
  for (const fact of factsOf(judged)) {
    const { server, storedMs, holder } = fact
    if (server === holder || isAfterFailover(judged.failovers, fact)) continue
    yield `${server} reported what it saw at ${storedMs} ms, when the term was that of ${holder ?? 'nobody'}`
  }
}

/** What was seen earlier is not reported after what was seen later. */
function* nothingOutdated(judged: Judged): Generator<string> {
  let newest = 0
  for (const fact of factsOf(judged)) {
    const { server, seenMs, storedMs } = fact
    if (seenMs < newest && !isAfterFailover(judged.failovers, fact))
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

// What must hold of webhooks after a rehearsal, whatever has happened.

const webhookProperties: Readonly<Record<string, (outcome: Judged) => Iterable<string>>> = {
  'webhooks-are-not-lost': notLost,
  'webhooks-keep-their-order': inOrder,
  'webhooks-tell-what-is-in-the-log': onlyOfTheLog,
  'one-id-one-message': oneIdOneMessage,
  'outbox-is-whole': outboxIsWhole,
  'one-sender': oneSender,
}

/** When the faults are over, every receiver has accepted every message since it was added. */
function* notLost(judged: Judged): Generator<string> {
  const { database, replay, receivers } = judged
  if (replay.fault !== null) return
  for (const each of database.endpoints) {
    const { id } = each
    const of = receivers.arrivals.filter(({ endpoint }) => endpoint === id)
    const accepted = new Set(of.filter(({ isAccepted }) => isAccepted).map(keyOf))
    if (!database.outbox.beginnings.has(id)) yield `nobody has begun to send to ${id}`
    const lost = expectedOf(each, judged).find((message) => !accepted.has(keyOf(message)))
    if (lost) yield `${id} never accepted the message about entry ${lost.entry}: ${lost.payload}`
  }
}

/** No message comes before the one ahead of it was accepted. */
function* inOrder(judged: Judged): Generator<string> {
  const { database, replay, receivers } = judged
  if (replay.fault !== null) return
  for (const each of database.endpoints) {
    const arrivals = receivers.arrivals.filter(({ endpoint }) => endpoint === each.id)
    const expected = expectedOf(each, judged)
    for (const name of new Set(expected.map(({ queue }) => queue)))
      yield* tooEarly(
        expected.filter(({ queue }) => queue === name),
        arrivals,
      )
  }
}

function* tooEarly(
  line: readonly LoggedMessage[],
  arrivals: readonly Arrival[],
): Generator<string> {
  const places = new Map(line.map((message, place) => [keyOf(message), place]))
  let accepted = 0
  for (const arrival of arrivals) {
    const place = places.get(keyOf(arrival)) ?? -1
    if (place > accepted) yield `${shown(arrival)} came ${place - accepted} places too early`
    if (place === accepted && arrival.isAccepted) accepted++
  }
}

/** Nothing is sent that is not in the log. Only a failover may take it out of the log afterwards. */
function* onlyOfTheLog({ failovers, replay, receivers }: Judged): Generator<string> {
  if (failovers.length > 0 || replay.fault !== null) return
  const known = new Set(replay.messages.map(keyOf))
  for (const arrival of receivers.arrivals)
    if (!known.has(keyOf(arrival))) yield `${shown(arrival)} is not in the log`
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

/** Whenever the outbox was written, each message up to its position had been accepted, or is kept in it. */
function* outboxIsWhole(judged: Judged): Generator<string> {
  const { database, replay, receivers } = judged
  if (replay.fault !== null) return
  for (const endpoint of database.endpoints) {
    const accepted = firstAccepted(endpoint, receivers.arrivals)
    const expected = expectedOf(endpoint, judged)
    for (const { position, at, lines, isOfLog } of database.outboxes) {
      if (!isOfLog) yield `entry ${position.sequence} was written, and the log did not have it`
      // After a failover it may be the outbox of another log.
      if (database.lines[position.sequence - 1]?.chain !== position.chain) continue
      const kept = new Set(lines.flatMap(({ line }) => payloadsFor(endpoint, line)))
      const lost = expected.find(
        ({ entry, payload }) =>
          entry <= position.sequence &&
          !kept.has(payload) &&
          !((accepted.get(payload) ?? Infinity) <= at),
      )
      if (lost)
        yield `at ${at - epochMs} ms the position was ${position.sequence} without ${lost.payload}`
    }
  }
}

function firstAccepted({ id }: Endpoint, arrivals: readonly Arrival[]): Map<string, number> {
  const first = new Map<string, number>()
  for (const { endpoint, payload, arrivedMs, isAccepted } of arrivals)
    if (endpoint === id && isAccepted && !first.has(payload))
      first.set(payload, epochMs + Math.floor(arrivedMs))
  return first
}

function payloadsFor({ id }: Endpoint, line: OutboxLine): string[] {
  return line.line === 'message' && line.to.includes(id) ? [line.message.payload] : []
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

/** The messages of the log that an endpoint must get. */
function expectedOf(endpoint: Endpoint, { database, replay }: Judged): readonly LoggedMessage[] {
  const beginning = database.outbox.beginnings.get(endpoint.id) ?? Infinity
  return replay.messages.filter(
    ({ entry, type }) => entry > beginning && isSubscribedTo(endpoint, { type }),
  )
}

/** The payload names its queue and its number there, so no two messages of a log have the same. */
const keyOf = ({ payload }: Pick<LoggedMessage, 'payload'>): string => payload

const shown = ({ payload, endpoint, arrivedMs }: Arrival): string =>
  `at ${Math.round(arrivedMs)} ms, at ${endpoint}: ${payload}`

export type Violation = { readonly property: string; readonly what: string }

/** How much later than the read of its tail a turn may be committed, and how late a wake-up may be. */
const longestTurnMs = 1_100
const latestWakeMs = sweepMs + 500

const properties: Readonly<Record<string, (outcome: Judged) => Iterable<string>>> = {
  'one-history': oneHistory,
  'acknowledged-is-there': acknowledgedIsThere,
  'reads-show-what-was-acknowledged': readsAreFresh,
  'servers-are-equal': serversAreEqual,
  'every-server-answers': everyServerAnswers,
  'wake-ups-are-due': wakeUpsAreDue,
  'wake-ups-are-not-lost': wakeUpsAreNotLost,
  'one-clock': oneClock,
  'no-older-engine-after-a-newer': enginesGoForward,
  ...webhookProperties,
  ...workProperties,
}

export function violationsOf(outcome: Outcome): readonly Violation[] {
  const judged = { ...outcome, replay: replayOf(outcome.database.lines) }
  return Object.entries(properties).flatMap(([property, judge]) =>
    [...judge(judged)].slice(0, 1).map((what) => ({ property, what })),
  )
}

/** The log has no gap, each entry follows from those before it, and the chain is whole. */
function* oneHistory({ replay: { fault } }: Judged): Generator<string> {
  if (fault !== null) yield fault
}

/** What was acknowledged is in the log as it was sent. Only a failover may lose it. */
function* acknowledgedIsThere({ database, answered, failovers }: Outcome): Generator<string> {
  for (const each of answered) {
    const { command, sequence, answeredMs } = each
    if (command === null || isLost(each, failovers)) continue
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
function* readsAreFresh({ answered, failovers }: Outcome): Generator<string> {
  const since = Math.max(-1, ...failovers.map(({ atMs }) => atMs + soonMs))
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
function* serversAreEqual({ replay, atTheEnd }: Judged): Generator<string> {
  const { register, fault } = replay
  if (fault !== null) return
  const right = textOf(register)
  for (const [place, each] of atTheEnd.entries()) {
    if (each === null || each.sequence !== register.sequence) continue
    if (textOf(each) !== right) yield `server ${place} has another state than the log says`
  }
}

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
  const { register, fault, wakes } = replay
  if (fault !== null) return
  const left = { wakeAt: register.wakeAt, at: database.now() }
  for (const { wakeAt, at } of [...wakes, left]) {
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

const textOf = (register: Register): string => register.saved().lines.join('\n')
