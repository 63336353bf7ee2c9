/** Since when each queue is in its state, and who set it: noted while the server runs. */

import { nameOfQueue } from '../identity/queue-ref.ts'
import type { AppliedCommand } from '../queues/publisher.ts'

type StateChange = { readonly at: number; readonly by: string | null }

export class StateChanges {
  readonly #changes = new Map<string, StateChange>()

  readonly onCommand = ({ queue, at, events, by }: AppliedCommand): void => {
    if (!queue || !events.some(({ type }) => type === 'queueStateChanged')) return
    this.#changes.set(nameOfQueue(queue), { at, by: by?.token ?? null })
  }

  /** Null if the state has not changed since the start of the server. */
  of(queue: string): StateChange | null {
    return this.#changes.get(queue) ?? null
  }
}
