/** Counts the events in which each property was active: could have been violated (S-171). */

import type { Handlers } from '../steps/handlers.ts'

/**
 * A property that is active only at times. It counts as active in a command if it is before or
 * after it: a command that ends a pause could still break a rule about pauses.
 */
type Sometimes = { readonly isActive: () => boolean; wasActive: boolean; events: number }

export class Activity {
  readonly #sometimes = new Map<Handlers, Sometimes>()
  readonly #all: Sometimes[] = []
  #events = 0

  constructor(handlers: readonly Handlers[]) {
    for (const each of handlers) {
      if (!each.isActive) continue
      const { isActive } = each
      const sometimes = { isActive, wasActive: isActive(), events: 0 }
      this.#sometimes.set(each, sometimes)
      this.#all.push(sometimes)
    }
  }

  /** Call it after the handlers of a command that made this number of events. */
  onStep(events: number): void {
    this.#events += events
    for (const each of this.#all) {
      const isActive = each.isActive()
      if (isActive || each.wasActive) each.events += events
      each.wasActive = isActive
    }
  }

  /** The number of events in which these handlers were active; null judges nothing. */
  eventsOf(handlers: Handlers | null): number {
    if (!handlers) return 0
    return this.#sometimes.get(handlers)?.events ?? this.#events
  }
}
