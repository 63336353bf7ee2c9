/** Clients that ask any server, one call after another, and what they were told. */

import { callOf, type Call } from './calls.ts'
import type { SimulatedServer } from './server.ts'
import type { SimulatedTime } from './time.ts'

export type Told = {
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

export type ClientParts = {
  readonly time: SimulatedTime
  readonly servers: readonly SimulatedServer[]
  readonly draw: () => number
  readonly onTold: (told: Told) => void
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

  /** Asks one server. Calls `onEnd` with what was told; null if nobody answered, or nothing is known. */
  ask(server: SimulatedServer, call: Call, onEnd: (told: Told | null) => void): void {
    const { time } = this.#parts
    const sentMs = time.nowMs
    let isOver = false
    const end = (told: Told | null): void => {
      if (isOver) return
      isOver = true
      stop()
      onEnd(told)
    }
    const stop = time.after(patienceMs, () => end(null))
    const answer = (told: Omit<Told, 'answeredMs'> | null): void => {
      this.#carry(server, () => end(told && { ...told, answeredMs: time.nowMs }))
    }
    const when = (): When => ({ sentMs, workedMs: time.nowMs })
    this.#carry(server, () => server.hear(() => work(server, call, when, answer)))
  }

  #next(): void {
    const { time, servers, draw, onTold } = this.#parts
    time.after(draw() * betweenCallsMs, () => {
      const server = servers[Math.floor(draw() * servers.length)]
      if (this.#isOver || server === undefined) return
      const call = callOf(
        draw,
        () => ++this.#last,
        () => Math.max(1, this.#last),
      )
      this.ask(server, call, (told) => {
        if (told) onTold(told)
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

type When = Pick<Told, 'sentMs' | 'workedMs'>

function work(
  server: SimulatedServer,
  { kind, work: run }: Call,
  when: () => When,
  answer: (told: Omit<Told, 'answeredMs'> | null) => void,
): void {
  const entered = server.replica?.enter(kind, (manager) => {
    const accepted = run(manager)
    const command = accepted && JSON.stringify(accepted)
    return { kind, ...when(), sequence: manager.registry.sequence, command }
  })
  entered?.then(answer, () => answer(null))
}
