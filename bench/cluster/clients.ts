/** Clients that ask any server, one call after another, and what they were answered. */

import type { RecordedCommand } from '../../engine/index.ts'
import type { Kind } from '../../server/queues/entrance.ts'
import type { QueueManager } from '../../server/queues/queue-manager.ts'
import { type Habits, wireOf } from './network.ts'
import { loadMs } from './plan.ts'
import type { SimulatedServer, World } from './server.ts'

// The calls of clients: commands that the API sends too, on two queues of a repository.

/** Runs inside of the round of a server; returns the command that was accepted, if one was. */
type Work = (manager: QueueManager) => RecordedCommand | null
/** Null: shows a state, and changes nothing. */
type Call = Work | null

const queues = ['github.com/acme/shop:main', 'github.com/acme/shop:next'] as const

/** The wait of a batch, in minutes: short, so that queues must be woken often. */
const waitMinutes = 0.02

const createQueues: Work = (manager) => {
  for (const [place, queue] of queues.entries()) {
    const set = {
      batch: true,
      batchingMinSize: 3,
      batchingMaxWaitTimeMinutes: waitMinutes,
      concurrency: 2,
      bisectionConcurrency: 1,
    }
    const incarnation = `00000000-0000-8000-8000-00000000000${place}`
    manager.send(queue, { type: 'createQueue', incarnation, set })
  }
  return null
}

const sending =
  (queue: string, command: RecordedCommand): Work =>
  (manager) =>
    manager.send(queue, command).accepted ? command : null

/** Reports the first run that is under way. */
const reporting =
  (queue: string, outcome: 'passed' | 'failed'): Work =>
  (manager) => {
    const [run] = Object.values(manager.registry.find(queue)?.engine.queue.testRuns ?? {})
    if (run === undefined) return null
    return sending(queue, { type: 'finishTestRun', testRun: run.id, outcome })(manager)
  }

export type Answered = {
  readonly kind: Kind
  readonly sentMs: number
  /** When a server did it. */
  readonly workedMs: number
  readonly answeredMs: number
  /** The last entry of the state in which it worked. */
  readonly sequence: number
  /** What was written, as JSON; null for a read, and for a command that was refused. */
  readonly command: string | null
}

const habits: Habits = {
  delayMs: ({ draw }) => 0.1 + draw() * 5,
  patienceMs: 4_000,
}

const betweenCallsMs = 60
/** A server that has just started may refuse to create the queues; without them a seed would judge nothing. */
const againMs = 100

/** Starts so many clients. Returns what they are answered from now on, while there is load. */
export function startClients(
  world: World,
  servers: readonly SimulatedServer[],
  count: number,
): readonly Answered[] {
  const { time, draw } = world
  const answered: Answered[] = []
  const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(draw() * all.length)]
  const create = async (server: SimulatedServer): Promise<void> => {
    while (!(await ask(world, server, createQueues))) await time.wait(againMs)
  }
  let last = 0
  const next = (): Call => {
    const queue = oneOf(queues) ?? queues[0]
    const kind = draw()
    if (kind < 0.35) return sending(queue, { type: 'submitPullRequest', number: ++last })
    const number = 1 + Math.floor(draw() * Math.max(1, last))
    if (kind < 0.42)
      return sending(queue, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
    return kind < 0.65 ? reporting(queue, draw() < 0.8 ? 'passed' : 'failed') : null
  }
  const askOften = async (): Promise<void> => {
    for (;;) {
      await time.wait(draw() * betweenCallsMs)
      const server = oneOf(servers)
      if (time.nowMs >= loadMs || server === undefined) return
      const answer = await ask(world, server, next())
      if (answer) answered.push(answer)
    }
  }
  for (const server of servers.slice(0, 1)) void create(server)
  for (let client = 0; client < count; client++) void askOften()
  return answered
}

/** Asks one server. Null if nobody answered, or nothing is known. */
export async function ask(
  { time, draw }: World,
  server: SimulatedServer,
  call: Call = null,
): Promise<Answered | null> {
  const isCut = (): boolean => server.isCut
  const wire = wireOf({ time, draw, isCut, deliver: (act) => act() }, habits)
  const sentMs = time.nowMs
  const kind: Kind = call === null ? 'read' : 'write'
  const asked = wire.ask(() =>
    server.enter(kind, (manager) => {
      const accepted = call?.(manager) ?? null
      const command = accepted && JSON.stringify(accepted)
      const { sequence } = manager.registry
      return { kind, sentMs, workedMs: time.nowMs, sequence, command }
    }),
  )
  const found = await asked.catch(() => null)
  return found && { ...found, answeredMs: time.nowMs }
}
