/** The entry of a worker thread: rehearses some seeds, or hunts a defect with them. */

import type { Register } from '../../server/replica/register.ts'
import { sequenceOf } from '../../sim/random/draw.ts'
import type { SeedRange } from '../../sim/random/seeds.ts'
import { ask, startClients } from './clients.ts'
import { SimulatedDatabase } from './database.ts'
import type { Defect } from './defects.ts'
import { type Violation, violationsOf } from './violations.ts'
import { type Fault, type Plan, loadMs, planOf, settledMs, smallerPlans } from './plan.ts'
import { endpoints, Receivers } from './network.ts'
import { SimulatedServer, type World } from './server.ts'
import { SimulatedTime } from './time.ts'

export type ClusterTask = SeedRange & {
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

export async function rehearse(plan: Plan, defect: Defect | null = null) {
  const time = new SimulatedTime()
  const database = new SimulatedDatabase(time, defect)
  const receivers = new Receivers()
  const draw = sequenceOf(plan.seed, 'cluster')
  const world: World = { time, draw, database, receivers, defect, engine: 1 }
  // One receiver is there from the start, another is added while there is load.
  database.endpoints = endpoints.slice(0, 1)
  time.after(loadMs / 6, () => {
    database.endpoints = endpoints
  })
  const servers = Array.from(
    { length: plan.servers },
    (_, place) => new SimulatedServer(world, place),
  )
  for (const server of servers) server.start()
  const answered = startClients(world, servers, plan.clients)
  for (const fault of plan.faults)
    time.after(fault.atMs, () => strike(fault, world, servers[fault.server]))
  await time.runUntil(loadMs)
  for (const server of servers) server.heal()
  await time.runUntil(settledMs)
  const atTheEnd: (Register | null)[] = servers.map(() => null)
  for (const [place, server] of servers.entries())
    void ask(world, server).then(
      (answer) => answer && (atTheEnd[place] = server.replica?.register ?? null),
    )
  await time.runUntil(settledMs + probeMs)
  return {
    violations: violationsOf({ database, receivers, answered, atTheEnd }),
    entries: database.lines.length,
    acknowledged: answered.length,
    /** What was stored and answered, to compare two rehearsals of one seed. */
    trace: JSON.stringify([database.lines, answered, receivers.arrivals]),
  }
}

const probeMs = 900

function strike({ kind, forMs }: Fault, world: World, server?: SimulatedServer): void {
  const { database, time, draw } = world
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
    world.engine++
    server.update()
  }
}

const mostLost = 13
