/**
 * The work on a repository in a rehearsal: who has the term polls a branch, which always moves, and tells
 * the queue what it has seen there. How it works in its term is the code of the server.
 */

import type { RecordedCommand } from '../../engine/index.ts'
import type { Committed } from '../../server/replica/committed.ts'
import { workInTerm, type WorkInTermPorts } from '../../server/replica/work-in-term.ts'
import type { Work } from '../../server/timing/term-keeper.ts'
import { loadMs, settledMs } from './plan.ts'
import { type Habits, type Process, wireOf } from './network.ts'

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
/** Then nothing is told any more, so that servers can be compared. */
export const quietMs = settledMs - 1_000

/** Of a code host. */
const polls: Habits = {
  delayMs: ({ draw }) => 0.5 + draw() ** 3 * 400,
  patienceMs: Infinity,
}

type WorkerPorts = Omit<WorkInTermPorts, 'begin' | 'onFault' | 'server'>

/** Works while no other server does. */
export function startWorker(process: Process, ports: WorkerPorts): void {
  const { time, name: server } = process
  const { timers } = ports
  // A server that does not reach the database can reach the code host.
  const host = wireOf({ ...process, isCut: () => false }, polls)
  const begin = async (committed: Committed): Promise<Work> => {
    // A failover can have lost it.
    if (!committed.registry.find(hosted)) await committed.ask(hosted, creation)
    let isOver = false
    const isWorking = (): boolean => !isOver && time.nowMs < quietMs
    const work = async (): Promise<void> => {
      while (isWorking()) {
        // What was seen may be long ago when it is told: the server can be suspended in between.
        const commit = await host.ask(() => `${Math.floor(time.nowMs)}`)
        const actor = { token: server, request: 'poll' }
        const command = { type: 'reportPush', commit } as const
        // What is not known to be told is seen again.
        if (isWorking()) await committed.ask(hosted, command, actor).catch(() => undefined)
        const { nowMs } = time
        const waitMs = nowMs < loadMs ? pollEveryMs : Math.max(againMs - nowMs, pollEveryMs)
        await new Promise<void>((resolve) => timers.after(waitMs, resolve))
      }
    }
    const worked = work()
    return {
      close: async () => {
        isOver = true
        await worked
      },
    }
  }
  workInTerm({ ...ports, server, begin, onFault: () => undefined }).start()
}
