/** Clients that ask any server, one call after another, and what they were answered. */

import type { RecordedCommand } from '../../engine/index.ts'
import type { QueueManager } from '../../server/queues/queue-manager.ts'
import { type Habits, Wire } from './network.ts'
import type { SimulatedServer } from './server.ts'
import type { SimulatedTime } from './time.ts'

// The calls of clients: commands that the API sends too, on two queues of a repository.

type Call = {
  readonly kind: 'read' | 'write'
  /** Runs inside of the round of a server; returns the command that was accepted, if one was. */
  readonly work: (manager: QueueManager) => RecordedCommand | null
}

const queues = ['github.com/acme/shop:main', 'github.com/acme/shop:next'] as const

/** The wait of a batch, in minutes: short, so that queues must be woken often. */
const waitMinutes = 0.02

export const createQueues: Call = {
  kind: 'write',
  work: (manager) => {
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
  },
}

/** Shows a state, and changes nothing. */
export const look: Call = { kind: 'read', work: () => null }

function sending(queue: string, command: RecordedCommand): Call {
  return {
    kind: 'write',
    work: (manager) => (manager.send(queue, command).accepted ? command : null),
  }
}

/** Reports the first run that is under way. */
function reporting(queue: string, outcome: 'passed' | 'failed'): Call {
  return {
    kind: 'write',
    work: (manager) => {
      const runs = Object.values(manager.registry.find(queue)?.engine.queue.testRuns ?? {})
      const [run] = runs
      if (run === undefined) return null
      return sending(queue, { type: 'finishTestRun', testRun: run.id, outcome }).work(manager)
    },
  }
}

export type Answered = {
  readonly kind: Call['kind']
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
  breakRate: 0,
  lossRate: 0,
  calmFromMs: 0,
}

const betweenCallsMs = 60

type ClientParts = {
  readonly time: SimulatedTime
  readonly servers: readonly SimulatedServer[]
  readonly draw: () => number
}

export class Clients {
  /** What they were answered while there was load. */
  readonly answered: Answered[] = []
  readonly #parts: ClientParts
  #last = 0
  #isOver = false

  constructor(parts: ClientParts) {
    this.#parts = parts
  }

  start(count: number): void {
    for (let client = 0; client < count; client++) this.#next()
  }

  /** Nobody begins another call. */
  end(): void {
    this.#isOver = true
  }

  /** Asks one server. Null if nobody answered, or nothing is known. */
  async ask(server: SimulatedServer, { kind, work }: Call): Promise<Answered | null> {
    const { time, draw } = this.#parts
    const sentMs = time.nowMs
    const link = { time, draw, isCut: () => server.isCut, deliver: (act: () => void) => act() }
    const asked = new Wire(link, habits).ask<Omit<Answered, 'answeredMs'>>((answer, refuse) =>
      server.deliver(() => {
        const entered = server.replica?.enter(kind, (manager) => {
          const accepted = work(manager)
          const command = accepted && JSON.stringify(accepted)
          return {
            kind,
            sentMs,
            workedMs: time.nowMs,
            sequence: manager.registry.sequence,
            command,
          }
        })
        entered?.then(answer, () => refuse('it is not known'))
      }),
    )
    const found = await asked.catch(() => null)
    return found && { ...found, answeredMs: time.nowMs }
  }

  #next(): void {
    const { time, servers, draw } = this.#parts
    time.after(draw() * betweenCallsMs, () => {
      const server = servers[Math.floor(draw() * servers.length)]
      if (this.#isOver || server === undefined) return
      void this.#asking(server)
    })
  }

  async #asking(server: SimulatedServer): Promise<void> {
    const answered = await this.ask(server, this.#call())
    if (answered) this.answered.push(answered)
    this.#next()
  }

  #call(): Call {
    const { draw } = this.#parts
    const queue = queues[Math.floor(draw() * queues.length)] ?? queues[0]
    const kind = draw()
    if (kind < 0.35) return sending(queue, { type: 'submitPullRequest', number: ++this.#last })
    const number = 1 + Math.floor(draw() * Math.max(1, this.#last))
    if (kind < 0.42)
      return sending(queue, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
    return kind < 0.65 ? reporting(queue, draw() < 0.8 ? 'passed' : 'failed') : look
  }
}
