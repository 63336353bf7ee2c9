/**
 * The work on a repository in a rehearsal: who has the term polls a branch, which always moves, and tells
 * the queue what it has seen there. How it works in its term is the code of the server.
 */

import type { RecordedCommand } from '../../engine/index.ts'
import type { Committed } from '../../server/replica/committed.ts'
import { workInTerm, type WorkInTermPorts } from '../../server/replica/work-in-term.ts'
import type { Work } from '../../server/timing/term-keeper.ts'
import { loadMs, settledMs } from './plan.ts'
import type { Link } from './network.ts'

export type WorkerPorts = Omit<WorkInTermPorts, 'begin' | 'onFault'>

/** A queue with a repository: only the server that works sends to it. */
export const hosted = 'github.com/acme/shop:hosted'
const creation: RecordedCommand = {
  type: 'createQueue',
  incarnation: '00000000-0000-8000-8000-000000000009',
  set: {},
  codeHost: 'groups',
}

const pollEveryMs = 300
/** Between load and the last polls the log is left alone, so that only the sweep sees what is due. */
const againMs = loadMs + 10_000
const slowestPollMs = 400
/** Then nothing is told any more, so that servers can be compared. */
export const quietMs = settledMs - 1_000

/** Works while no other server does. */
export function startWorker(link: Link, ports: WorkerPorts): void {
  const begin = async (committed: Committed): Promise<Work> => {
    // A failover can have lost it.
    if (!committed.registry.find(hosted)) await committed.ask(hosted, creation)
    let isOver = false
    const told = tellOf(link, { ports, committed, isOver: () => isOver })
    return {
      close: async () => {
        isOver = true
        await told
      },
    }
  }
  workInTerm({ ...ports, begin, onFault: () => undefined }).start()
}

type Telling = {
  readonly ports: WorkerPorts
  readonly committed: Committed
  readonly isOver: () => boolean
}

/** What was seen may be long ago when it is told: the server can be suspended in between. */
async function tellOf(link: Link, { ports, committed, isOver }: Telling): Promise<void> {
  const { time } = link
  while (!isOver() && time.nowMs < quietMs) {
    const seenMs = await seen(link)
    const actor = { token: ports.server, request: 'poll' }
    const command = { type: 'reportPush', commit: String(seenMs) } as const
    // What is not known to be told is seen again.
    if (!isOver()) await committed.ask(hosted, command, actor).catch(() => undefined)
    const waitMs = time.nowMs < loadMs ? pollEveryMs : Math.max(againMs - time.nowMs, pollEveryMs)
    await new Promise<void>((resolve) => ports.timers.after(waitMs, resolve))
  }
}

/** The branch as it was when the poll arrived there: it moves each millisecond. */
function seen({ time, draw, deliver }: Link): Promise<number> {
  const delay = (): number => 0.5 + draw() ** 3 * slowestPollMs
  return new Promise((resolve) => {
    time.after(delay(), () => {
      const seenMs = Math.floor(time.nowMs)
      time.after(delay(), () => deliver(() => resolve(seenMs)))
    })
  })
}
