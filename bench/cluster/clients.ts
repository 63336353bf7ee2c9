/** Clients that ask any server, one call after another, and what they were answered. */

import type { RecordedCommand } from '../../engine/index.ts'
import type { QueueManager } from '../../server/queues/queue-manager.ts'
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

function callOf(draw: () => number, next: () => number, last: () => number): Call {
  const queue = queues[Math.floor(draw() * queues.length)] ?? queues[0]
  const kind = draw()
  if (kind < 0.35) return sending(queue, { type: 'submitPullRequest', number: next() })
  const number = 1 + Math.floor(draw() * last())
  if (kind < 0.42)
    return sending(queue, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
  if (kind < 0.65) return reporting(queue, draw() < 0.8 ? 'passed' : 'failed')
  return { kind: 'read', work: () => null }
}

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
      const command = { type: 'finishTestRun', testRun: run.id, outcome } as const
      return manager.send(queue, command).accepted ? command : null
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

const patienceMs = 4_000
const slowestMs = 5
const betweenCallsMs = 60

type ClientParts = {
  readonly time: SimulatedTime
  readonly servers: readonly SimulatedServer[]
  readonly draw: () => number
  readonly onAnswered: (answered: Answered) => void
}

export class Clients {
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

  /** Asks one server. Calls `onEnd` with the answer; null if nobody answered, or nothing is known. */
  ask(server: SimulatedServer, call: Call, onEnd: (answered: Answered | null) => void): void {
    const { time } = this.#parts
    const sentMs = time.nowMs
    let isOver = false
    const end = (answered: Answered | null): void => {
      if (isOver) return
      isOver = true
      stop()
      onEnd(answered)
    }
    const stop = time.after(patienceMs, () => end(null))
    const answer = (answered: Omit<Answered, 'answeredMs'> | null): void => {
      this.#carry(server, () => end(answered && { ...answered, answeredMs: time.nowMs }))
    }
    const when = (): When => ({ sentMs, workedMs: time.nowMs })
    this.#carry(server, () => server.deliver(() => work(server, call, when, answer)))
  }

  #next(): void {
    const { time, servers, draw, onAnswered } = this.#parts
    time.after(draw() * betweenCallsMs, () => {
      const server = servers[Math.floor(draw() * servers.length)]
      if (this.#isOver || server === undefined) return
      const call = callOf(
        draw,
        () => ++this.#last,
        () => Math.max(1, this.#last),
      )
      this.ask(server, call, (answered) => {
        if (answered) onAnswered(answered)
        this.#next()
      })
    })
  }

  /** A message takes its time, and is lost if the server is cut off. */
  #carry(server: SimulatedServer, act: () => void): void {
    const { time, draw } = this.#parts
    time.after(0.1 + draw() * slowestMs, () => {
      if (!server.isCut) act()
    })
  }
}

type When = Pick<Answered, 'sentMs' | 'workedMs'>

function work(
  server: SimulatedServer,
  { kind, work: run }: Call,
  when: () => When,
  answer: (answered: Omit<Answered, 'answeredMs'> | null) => void,
): void {
  const entered = server.replica?.enter(kind, (manager) => {
    const accepted = run(manager)
    const command = accepted && JSON.stringify(accepted)
    return { kind, ...when(), sequence: manager.registry.sequence, command }
  })
  entered?.then(answer, () => answer(null))
}
