/**
 * The work on a repository in a rehearsal: who has the term looks at a branch, which always moves, and tells
 * the queue what it has seen there. Term, queues and log are the real ones.
 */

import type { RecordedCommand } from '../../engine/index.ts'
import type { Enter } from '../../server/queues/entrance.ts'
import { Committed } from '../../server/replica/committed.ts'
import { inTerm } from '../../server/replica/in-term.ts'
import type { LogDatabase } from '../../server/replica/log-database.ts'
import type { Replica } from '../../server/replica/replica.ts'
import { TermKeeper, type Work } from '../../server/timing/term-keeper.ts'
import type { TermPorts } from '../../server/timing/term.ts'
import { loadMs, settledMs } from './plan.ts'
import type { WireParts } from './wire.ts'

export type WorkerPorts = TermPorts & {
  readonly log: LogDatabase
  readonly engine: number
  readonly enter: Replica['enter']
  /** The way to the queues while the term lasts. */
  readonly inTerm: (enter: Enter, term: Pick<TermKeeper, 'isSure'>) => Enter
}

/** A queue with a repository: only the server that works sends to it. */
export const hosted = 'github.com/acme/shop:hosted'
const creation: RecordedCommand = {
  type: 'createQueue',
  incarnation: '00000000-0000-8000-8000-000000000009',
  set: {},
  codeHost: 'groups',
}

const lookEveryMs = 300
/** Between load and the last looks the log is left alone, so that wishes are seen by nobody but the sweep. */
const againMs = loadMs + 10_000
const slowestLookMs = 400
/** Then nothing is told any more, so that servers can be compared. */
export const quietMs = settledMs - 1_000

/** What a server with these connections and this name needs to work. */
export function workerPorts(
  { time, hear }: WireParts,
  parts: Pick<WorkerPorts, 'terms' | 'server' | 'log' | 'engine' | 'isAble' | 'enter'>,
): WorkerPorts {
  return {
    ...parts,
    inTerm,
    clock: () => time.nowMs,
    timers: { after: (ms, act) => time.after(ms, () => hear(act)) },
  }
}

/** Works while no other server does. */
export function startWorker(wire: WireParts, ports: WorkerPorts): void {
  const begin = async (): Promise<Work> => {
    const committed = await Committed.open({
      database: ports.log,
      engine: ports.engine,
      enter: ports.inTerm(ports.enter, keeper),
      timers: ports.timers,
      onFault: () => undefined,
      onReplaced: () => keeper.interrupt(),
    })
    try {
      // A failover can have lost it.
      if (!committed.registry.find(hosted)) await committed.ask(hosted, creation)
    } catch (error) {
      await committed.close()
      throw error
    }
    let isOver = false
    const told = tellOf(wire, { ports, committed, isOver: () => isOver })
    return {
      close: async () => {
        isOver = true
        await committed.close()
        await told
      },
    }
  }
  const keeper = new TermKeeper({ ...ports, begin, onFault: () => undefined })
  keeper.start()
}

type Telling = {
  readonly ports: WorkerPorts
  readonly committed: Committed
  readonly isOver: () => boolean
}

/** What was seen may be long ago when it is told: the server can stand still in between. */
async function tellOf(wire: WireParts, { ports, committed, isOver }: Telling): Promise<void> {
  const { time } = wire
  while (!isOver() && time.nowMs < quietMs) {
    const seenMs = await seen(wire)
    const actor = { token: ports.server, request: 'look' }
    const command = { type: 'reportPush', commit: String(seenMs) } as const
    // What is not known to be told is seen again.
    if (!isOver()) await committed.ask(hosted, command, actor).catch(() => undefined)
    const waitMs = time.nowMs < loadMs ? lookEveryMs : Math.max(againMs - time.nowMs, lookEveryMs)
    await new Promise<void>((resolve) => ports.timers.after(waitMs, resolve))
  }
}

/** The branch as it was when the look arrived there: it moves each millisecond. */
function seen({ time, draw, hear }: WireParts): Promise<number> {
  const delay = (): number => 0.5 + draw() ** 3 * slowestLookMs
  return new Promise((resolve) => {
    time.after(delay(), () => {
      const seenMs = Math.floor(time.nowMs)
      time.after(delay(), () => hear(() => resolve(seenMs)))
    })
  })
}
