/** The entry of a worker thread: rehearses some seeds, or hunts a defect with them. */

import type { WebhookEventType } from '../../server/notices/queue-notices.ts'
import type { Endpoint } from '../../server/webhooks/message.ts'
import { sequenceOf } from '../../sim/random/draw.ts'
import { createQueues, Clients, look } from './clients.ts'
import { SimulatedDatabase } from './database.ts'
import type { Defect } from './defects.ts'
import { type Violation, violationsOf } from './violations.ts'
import { type Fault, type Plan, loadMs, planOf, settledMs, smallerPlans } from './plan.ts'
import { Receivers } from './network.ts'
import { SimulatedServer } from './server.ts'
import { SimulatedTime } from './time.ts'

export type ClusterTask = {
  readonly from: number
  readonly to: number
  /** Stop at the first seed that notices this defect; null: none is planted. */
  readonly defect: Defect | null
}

export type Finding = {
  readonly seed: number
  readonly violations: readonly Violation[]
  /** The smallest plan that was found to show the first of them. */
  readonly plan: Plan
}

export type ClusterAnswer = {
  readonly defect: Defect | null
  readonly seeds: number
  readonly entries: number
  readonly acknowledged: number
  readonly findings: readonly Finding[]
}

export async function clusterWorker({ from, to, defect }: ClusterTask): Promise<ClusterAnswer> {
  let [seeds, entries, acknowledged] = [0, 0, 0]
  const findings: Finding[] = []
  for (let seed = from; seed <= to; seed++) {
    const plan = planOf(seed)
    const rehearsed = await rehearse(plan, defect)
    seeds++
    entries += rehearsed.entries
    acknowledged += rehearsed.acknowledged
    const { violations } = rehearsed
    const [first] = violations
    if (first === undefined) continue
    findings.push({ seed, violations, plan: await smallest(plan, defect, first.property) })
    if (defect) break
  }
  return { defect, seeds, entries, acknowledged, findings }
}

/** Leaves out what the finding does not need, one thing at a time. */
async function smallest(plan: Plan, defect: Defect | null, property: string): Promise<Plan> {
  for (const smaller of smallerPlans(plan)) {
    const { violations } = await rehearse(smaller, defect)
    const isShown = violations.some((each) => each.property === property)
    if (isShown) return smallest(smaller, defect, property)
  }
  return plan
}

// Plays one plan: servers on a simulated database, clients, faults; then it judges what has come of it.

type Rehearsed = {
  readonly violations: readonly Violation[]
  readonly entries: number
  readonly acknowledged: number
  /** What was stored and answered, to compare two rehearsals of one seed. */
  readonly trace: string
}

export async function rehearse(plan: Plan, defect: Defect | null = null): Promise<Rehearsed> {
  const time = new SimulatedTime()
  const database = new SimulatedDatabase(time, defect)
  const draw = sequenceOf(plan.seed, 'cluster')
  const receivers = new Receivers()
  addEndpoints(database, time)
  const servers = Array.from(
    { length: plan.servers },
    (_, place) => new SimulatedServer({ time, database, receivers, draw, defect, place }),
  )
  for (const server of servers) server.start()
  const clients = new Clients({ time, servers, draw })
  const create = (server: SimulatedServer): void =>
    void clients
      .ask(server, createQueues)
      .then((answered) => answered ?? time.after(againMs, () => create(server)))
  for (const server of servers.slice(0, 1)) create(server)
  clients.start(plan.clients)
  for (const fault of plan.faults) {
    time.after(fault.atMs, () => strike(fault, { servers, database, time, draw }))
  }
  await time.runUntil(loadMs)
  clients.end()
  const newest = Math.max(...servers.map(({ engine }) => engine))
  for (const server of servers) heal(server, newest)
  await time.runUntil(settledMs)
  const probed = new Set<SimulatedServer>()
  for (const server of servers)
    void clients.ask(server, look).then((answered) => answered && probed.add(server))
  await time.runUntil(settledMs + probeMs)
  const atTheEnd = servers.map((each) =>
    probed.has(each) ? (each.replica?.register ?? null) : null,
  )
  const { answered } = clients
  const violations = violationsOf({ database, receivers, answered, atTheEnd })
  const trace = JSON.stringify([database.lines, answered, receivers.arrivals])
  return { violations, entries: database.lines.length, acknowledged: answered.length, trace }
}

/** Few enough that all can be delivered one after another in the time of a rehearsal. */
const selections: readonly (readonly WebhookEventType[])[] = [
  ['queue.created', 'pull_request.submitted', 'pull_request.merged'],
  ['pull_request.queued', 'pull_request.failed'],
]

/** One receiver is there from the start, another is added while there is load. */
function addEndpoints(database: SimulatedDatabase, time: SimulatedTime): void {
  const both = selections.map((events, place): Endpoint => {
    const id = `receiver ${place}`
    const url = `http://receiver-${place}.example/`
    return { id, url, secret: 'whsec_AAAA', events, createdAt: '2026-01-01T00:00:00Z' }
  })
  database.endpoints = both.slice(0, 1)
  time.after(loadMs / 6, () => {
    database.endpoints = both
  })
}

const probeMs = 900

/** A server that has just started may refuse to create the queues; without them a seed would judge nothing. */
const againMs = 100

/** What does not heal by itself: the last step of a rolling update, links, and machines that are off. */
function heal(server: SimulatedServer, engine: number): void {
  server.isCut = false
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
}

function strike({ kind, forMs, server: place }: Fault, stage: Stage): void {
  const { servers, database, time, draw } = stage
  const server = servers[place]
  if (server === undefined) return
  if (kind === 'crash' || kind === 'power loss') {
    server.crash({ hasPower: kind === 'crash' })
    time.after(forMs, () => server.replica ?? server.start())
  } else if (kind === 'pause') {
    server.pause()
    time.after(forMs, () => server.resume())
  } else if (kind === 'cut') {
    server.isCut = true
    time.after(forMs, () => {
      server.isCut = false
    })
  } else if (kind === 'restart of the database') {
    database.restart()
  } else if (kind === 'failover') {
    const lost = draw() < 0.4 ? 0 : Math.floor(draw() * mostLost)
    database.failOver(lost, draw() < 0.3)
  } else {
    server.crash({ hasPower: true })
    server.engine = Math.max(...servers.map(({ engine }) => engine)) + 1
    server.start()
  }
}

const mostLost = 13
