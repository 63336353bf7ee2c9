/** The current batch of each pull request, updated event by event. */

import { isTerminal, type Event, type QueueView } from '../../engine/index.ts'

export type Batch = {
  /** The number of members at its start. */
  readonly size: number
  readonly isBisection: boolean
}

export class Batches {
  readonly #batchOf = new Map<number, Batch>()

  /** Starts with the batches of a queue; null for a new queue. */
  constructor(queue: QueueView | null) {
    for (const id of queue?.line ?? []) {
      const group = queue?.groups[id]
      if (group) this.#put(group.members, group.provenBy !== null)
    }
    for (const { proven, open } of queue?.bisections ?? []) this.#put([...proven, ...open], true)
  }

  /** The batch of a pull request; null if it has not started yet. */
  of(number: number): Batch | null {
    return this.#batchOf.get(number) ?? null
  }

  follow(event: Event): void {
    if (event.type === 'groupPlaced') this.#put(event.members, event.cause === 'proven')
    else if (event.type === 'groupSplit') this.#put(event.members, false)
    else if (event.type === 'bisectionStarted') this.#put(event.members, true)
    else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
      this.#batchOf.delete(event.number)
    }
  }

  #put(members: readonly number[], isBisection: boolean): void {
    const batch = { size: members.length, isBisection }
    for (const number of members) this.#batchOf.set(number, batch)
  }
}
