/** Plays one plan: servers on a simulated database, clients, faults; then it judges what has come of it. */

import { sequenceOf } from '../../sim/random/draw.ts'
import type { Endpoint } from '../../server/webhooks/endpoints.ts'
import type { WebhookEventType } from '../../server/notices/event-types.ts'
import { createQueues } from './calls.ts'
import { Clients, type Told } from './clients.ts'
import { SimulatedDatabase } from './database.ts'
import type { Weakness } from './weakness.ts'
import type { Defect } from './defect.ts'
import { loadMs, settledMs, type Fault, type Plan } from './plan.ts'
import { Receivers } from './receivers.ts'
import { SimulatedServer } from './server.ts'
import { SimulatedTime } from './time.ts'
import type { Failover } from './outcome.ts'
import { violationsOf, type Violation } from './violations.ts'

export type Rehearsed = {
  readonly violations: readonly Violation[]
  readonly entries: number
  readonly acknowledged: number
  /** What was stored and told, to compare two rehearsals of one seed. */
  readonly trace: string
}

export async function rehearse(plan: Plan, defect: Defect | null = null): Promise<Rehearsed> {
  const time = new SimulatedTime()
  const weaknesses = new Set<Weakness>(defect?.weakness ? [defect.weakness] : [])
  const database = new SimulatedDatabase(time, weaknesses)
  const draw = sequenceOf(plan.seed, 'cluster')
  const receivers = new Receivers()
  addEndpoints(database, time)
  const servers = Array.from(
    { length: plan.servers },
    (_, place) => new SimulatedServer({ time, database, receivers, draw, defect, place }),
  )
  for (const server of servers) server.start()
  const told: Told[] = []
  const failovers: Failover[] = []
  const clients = new Clients({ time, servers, draw, onTold: (each) => told.push(each) })
  const create = (server: SimulatedServer): void =>
    clients.ask(server, createQueues, (each) => each ?? time.after(againMs, () => create(server)))
  for (const server of servers.slice(0, 1)) create(server)
  clients.start(plan.clients)
  for (const fault of plan.faults) {
    time.after(fault.atMs, () =>
      strike(fault, { servers, database, time, draw, onFailover: (each) => failovers.push(each) }),
    )
  }
  await time.runUntil(loadMs)
  clients.end()
  const newest = Math.max(...servers.map(({ engine }) => engine))
  for (const server of servers) heal(server, newest)
  await time.runUntil(settledMs)
  const answered = new Set<SimulatedServer>()
  const probe = { kind: 'read', work: () => null } as const
  for (const server of servers) clients.ask(server, probe, (each) => each && answered.add(server))
  await time.runUntil(settledMs + probeMs)
  const atTheEnd = servers.map((each) =>
    answered.has(each) ? (each.replica?.register ?? null) : null,
  )
  const violations = violationsOf({ database, receivers, told, failovers, atTheEnd })
  const trace = JSON.stringify([database.lines, told, receivers.arrivals])
  return { violations, entries: database.lines.length, acknowledged: told.length, trace }
}

/** Few enough that all can be delivered one after another in the time of a rehearsal. */
const selections: readonly (readonly WebhookEventType[])[] = [
  ['queue.created', 'pull_request.submitted', 'pull_request.merged'],
  ['pull_request.queued', 'pull_request.failed'],
]

/** One receiver is there from the start, another is added while there is load. */
function addEndpoints({ outbox }: SimulatedDatabase, time: SimulatedTime): void {
  const [first, second] = selections.map((events, place): Endpoint => {
    const id = `receiver ${place}`
    const url = `http://receiver-${place}.example/`
    return { id, url, secret: 'whsec_AAAA', events, createdAt: '2026-01-01T00:00:00Z' }
  })
  if (!first || !second) return
  outbox.endpoints = [first]
  time.after(loadMs / 6, () => {
    outbox.endpoints = [first, second]
  })
}

const probeMs = 900

/** A server that has just started may refuse to create the queues; without them a seed would judge nothing. */
const againMs = 100

/** What does not heal by itself: the last step of a rolling update, links, and machines that are off. */
function heal(server: SimulatedServer, engine: number): void {
  server.cut(false)
  server.resume()
  if (server.engine === engine && server.replica !== null) return
  server.crash({ hasPower: true })
  server.engine = engine
  server.start()
}

type Stage = {
  readonly servers: readonly SimulatedServer[]
  readonly database: SimulatedDatabase
  readonly time: SimulatedTime
  readonly draw: () => number
  readonly onFailover: (failover: Failover) => void
}

function strike({ kind, forMs, server: place }: Fault, stage: Stage): void {
  const { servers, database, time, draw, onFailover } = stage
  const server = servers[place]
  if (server === undefined) return
  if (kind === 'crash' || kind === 'power loss') {
    server.crash({ hasPower: kind === 'crash' })
    time.after(forMs, () => server.replica ?? server.start())
  } else if (kind === 'pause') {
    server.pause()
    time.after(forMs, () => server.resume())
  } else if (kind === 'cut') {
    server.cut(true)
    time.after(forMs, () => server.cut(false))
  } else if (kind === 'restart of the database') {
    database.restart()
  } else if (kind === 'failover') {
    const lost = draw() < 0.4 ? 0 : Math.floor(draw() * mostLost)
    database.failOver(lost, draw() < 0.3)
    onFailover({ atMs: time.nowMs, kept: database.lines.length })
  } else {
    server.crash({ hasPower: true })
    server.engine = Math.max(...servers.map(({ engine }) => engine)) + 1
    server.start()
  }
}

const mostLost = 13
