/** Whose end the host shows already, so that a start does not show it once more. */

import { isTerminal, type Millis, type PullRequestNumber } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { KeptMemory } from './observed-pulls.ts'

/** What left the queue longer before the last that happened there counts as shown. */
const recentMs = 3_600_000

/** What a start has to show: who is in the queue, and whose end the server before may not have shown. */
export function unshownIn(
  { engine }: ManagedQueue,
  { memory: { shown } }: KeptMemory,
): PullRequestNumber[] {
  const all = Object.values(engine.queue.pullRequests)
  const lastAt = all.reduce((last, { stateChangedAt: at }) => Math.max(last, at), 0)
  return all.flatMap(({ number, state, stateChangedAt: at }) => {
    const isShown = lastAt - at >= recentMs || shown[number] === at
    return isTerminal(state) && isShown ? [] : number
  })
}

export function noteShown(file: KeptMemory, number: PullRequestNumber, endedAt: Millis): void {
  const recent = Object.entries(file.memory.shown).filter(([, at]) => endedAt - at < recentMs)
  file.change({ shown: { ...Object.fromEntries(recent), [number]: endedAt } })
}
