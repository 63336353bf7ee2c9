/** The calls of clients: commands that the API sends too, on two queues of a repository. */

import type { RecordedCommand } from '../../engine/index.ts'
import type { QueueManager } from '../../server/queues/queue-manager.ts'

export type Call = {
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
        ...{ batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: waitMinutes },
        ...{ concurrency: 2, bisectionConcurrency: 1 },
      }
      const incarnation = `00000000-0000-8000-8000-00000000000${place}`
      manager.send(queue, { type: 'createQueue', incarnation, set })
    }
    return null
  },
}

/** The next call of a client. */
export function callOf(draw: () => number, next: () => number, last: () => number): Call {
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
