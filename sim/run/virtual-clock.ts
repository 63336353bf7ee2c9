/**
 * Simulated time: the scheduled events in one total order. Time jumps from one event to the next.
 *
 * Events are ordered by (instant, tie, sequence). With tie order `submission` the tie is the kind
 * of event: actions of people come before results of machines. With `shuffled` the tie is drawn
 * from the seed, by the kind, name and instant of the event. So the order in which events were
 * scheduled matters only if everything else is equal.
 */

import TinyQueue from 'tinyqueue'
import type { Command, Millis } from '../../engine/index.ts'
import type { Draw } from '../random/draw.ts'

/** The kinds of scheduled events, in their order at one instant. */
export const eventKinds = ['submission', 'event', 'merge', 'result', 'wake'] as const
export type EventKind = (typeof eventKinds)[number]

export type ScheduledEvent = {
  readonly at: Millis
  readonly kind: EventKind
  /** Distinguishes the event from others of its kind at the same instant. */
  readonly name: string | number
  /**
   * Computes, at its instant, the commands to send at that instant; none if they are no longer needed.
   */
  readonly commands: () => readonly Command[]
}

type HeapEntry = {
  readonly scheduled: ScheduledEvent
  readonly tie: number
  readonly sequence: number
}

export type TieOrder = 'submission' | 'shuffled'

export class VirtualClock {
  readonly #heap = new TinyQueue<HeapEntry>([], before)
  readonly #tieOf: (scheduled: ScheduledEvent) => number
  readonly #wakes = new Set<Millis>()
  #sequence = 0

  constructor(draw: Draw, tieOrder: TieOrder) {
    this.#tieOf =
      tieOrder === 'shuffled'
        ? ({ kind, name, at }) => draw.unit('tie', `${kind} ${name} ${at}`)
        : ({ kind }) => eventKinds.indexOf(kind)
  }

  schedule(scheduled: ScheduledEvent): void {
    this.#sequence++
    this.#heap.push({ scheduled, tie: this.#tieOf(scheduled), sequence: this.#sequence })
  }

  /** Schedules one wake-up per instant, also if it is requested several times. */
  wakeAt(at: Millis): void {
    if (this.#wakes.has(at)) return
    this.#wakes.add(at)
    this.schedule({ at, kind: 'wake', name: '', commands: () => [{ type: 'wake', at }] })
  }

  /** The instant of the next event; null if nothing is scheduled. */
  get nextAt(): Millis | null {
    return this.#heap.peek()?.scheduled.at ?? null
  }

  /** Removes and returns the next event; undefined if nothing is scheduled. */
  next(): ScheduledEvent | undefined {
    const scheduled = this.#heap.pop()?.scheduled
    if (scheduled?.kind === 'wake') this.#wakes.delete(scheduled.at)
    return scheduled
  }

  /** Whether only wake-ups are scheduled. */
  get hasOnlyWakes(): boolean {
    return this.#heap.length === this.#wakes.size
  }

  /** Whether only events of these kinds are scheduled. Looks at all of them. */
  hasOnly(...kinds: readonly EventKind[]): boolean {
    return this.#heap.data.every(({ scheduled }) => kinds.includes(scheduled.kind))
  }
}

function before(a: HeapEntry, b: HeapEntry): number {
  return a.scheduled.at - b.scheduled.at || a.tie - b.tie || a.sequence - b.sequence
}
