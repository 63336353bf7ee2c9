/** What must hold of webhooks after a rehearsal, whatever has happened. */

import { type Endpoint, isSubscribedTo } from '../../server/webhooks/endpoints.ts'
import type { OutboxLine } from '../../server/webhooks/outbox.ts'
import { epochMs } from './database.ts'
import type { Judged } from './outcome.ts'
import type { Arrival } from './receivers.ts'
import type { LoggedMessage } from './replay.ts'

export const webhookProperties: Readonly<Record<string, (outcome: Judged) => Iterable<string>>> = {
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
  for (const each of database.outbox.endpoints) {
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
  for (const each of database.outbox.endpoints) {
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

/** Nothing is told that is not in the log. Only a failover may take it out of the log afterwards. */
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
  for (const endpoint of database.outbox.endpoints) {
    const accepted = firstAccepted(endpoint, receivers.arrivals)
    const expected = expectedOf(endpoint, judged)
    for (const { position, at, lines, isOfLog } of database.outbox.history) {
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
  for (const { sender, holder, at } of database.outbox.history)
    if (sender !== holder)
      yield `${sender} wrote at ${at - epochMs} ms, when the term was that of ${holder ?? 'nobody'}`
  const terms = database.terms.granted.filter(({ name }) => name === 'webhooks')
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
