/** What is to come in a forward simulation, by instant; what was added first comes first. */

import type { CommandBody, Millis } from '../../engine/index.ts'

export type Appointment = { readonly at: Millis; readonly command: () => CommandBody | null }

export class Agenda {
  /** Latest first, so that the next one is taken from the end. */
  readonly #entries: Appointment[] = []

  add(entry: Appointment): void {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#entries[middle]?.at ?? 0) <= entry.at) high = middle
      else low = middle + 1
    }
    this.#entries.splice(low, 0, entry)
  }

  next(): Appointment | undefined {
    return this.#entries.pop()
  }
}
