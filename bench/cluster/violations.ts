/** What must hold after a rehearsal, whatever has happened. */

import type { LogEntry } from '../../engine/index.ts'
import type { Register } from '../../server/replica/register.ts'
import { sweepMs } from '../../server/replica/waker.ts'
import type { Told } from './clients.ts'
import { epochMs } from './database.ts'
import { loadMs } from './plan.ts'
import type { Failover, Judged, Outcome } from './outcome.ts'
import { replayOf } from './replay.ts'
import { webhookProperties } from './webhook-violations.ts'
import { workProperties } from './work-violations.ts'

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
function* acknowledgedIsThere({ database, told, failovers }: Outcome): Generator<string> {
  for (const each of told) {
    const { command, sequence, answeredMs } = each
    if (command === null || isLost(each, failovers)) continue
    const line = database.lines[sequence - 1]
    const entry: LogEntry | null = line ? JSON.parse(line.text) : null
    if (JSON.stringify(entry?.command) === command) continue
    yield `${command} was acknowledged as entry ${sequence} at ${Math.round(answeredMs)} ms, and is not there`
  }
}

/** It was done before a failover that lost it. A server that stood still may tell it even later. */
function isLost({ sequence, workedMs }: Told, failovers: readonly Failover[]): boolean {
  return failovers.some(({ atMs, kept }) => workedMs <= atMs && sequence > kept)
}

/** An answer that was on its way during a failover. */
const soonMs = 50

/** A read shows everything that anybody was told before the read began. */
function* readsAreFresh({ told, failovers }: Outcome): Generator<string> {
  const since = Math.max(-1, ...failovers.map(({ atMs }) => atMs + soonMs))
  const known = told.filter(({ sentMs }) => sentMs > since)
  for (const { kind, sentMs, sequence } of known) {
    if (kind !== 'read') continue
    const missed = known.find(
      (earlier) => earlier.answeredMs < sentMs && earlier.sequence > sequence,
    )
    if (missed === undefined) continue
    yield `a read at ${Math.round(sentMs)} ms showed entry ${sequence}, after entry ${missed.sequence} was told`
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

/** Nobody is woken who did not wish it for that time. */
function* wakeUpsAreDue({ replay }: Judged): Generator<string> {
  for (const { wakeAt, at, sequence } of replay.wakes)
    if (wakeAt === null || wakeAt > at) yield `entry ${sequence} wakes a queue that did not wish it`
}

/** When the faults are over, everybody is woken who wished it, and not late. */
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
