/** Who is in a batch with whom, followed event by event. */

import { isTerminal, type Event, type QueueView } from '../../engine/index.ts'

export type Batch = {
  /** With how many it began. */
  readonly size: number
  readonly isBisection: boolean
}

export class Batches {
  readonly #batchOf = new Map<number, Batch>()

  /** As it is in a queue now; in none: nobody is in any. */
  constructor(queue: QueueView | null) {
    for (const id of queue?.line ?? []) {
      const group = queue?.groups[id]
      if (group) this.#put(group.members, group.provenBy !== null)
    }
    for (const { proven, open } of queue?.bisections ?? []) this.#put([...proven, ...open], true)
  }

  /** Null for one that has not started yet. */
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
