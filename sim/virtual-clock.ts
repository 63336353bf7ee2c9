/**
 * Simulated time: what is to happen, in one total order. Time jumps from one thing to the next.
 *
 * The order is (instant, tie, sequence). In the order of submission the tie is the lane: what
 * people do comes before what machines answer. Shuffled, it is drawn from the seed by what the
 * thing is; so the order never depends on how the heap was filled, unless all else is equal.
 */

import TinyQueue from 'tinyqueue'
import type { CommandBody, Millis } from '../engine/index.ts'
import type { Draw } from './draw.ts'

/** What kind of thing happens, in the order in which kinds come at one instant. */
export const lanes = ['submission', 'event', 'merge', 'result', 'wake'] as const
export type Lane = (typeof lanes)[number]

export type Happening = {
  readonly at: Millis
  readonly lane: Lane
  /** What it is, among those of its lane at one instant. */
  readonly name: string | number
  /** The commands it sends, found out at its instant; none when it has become pointless. */
  readonly commands: () => readonly CommandBody[]
}

type Entry = { readonly happening: Happening; readonly tie: number; readonly sequence: number }

export type TieOrder = 'submission' | 'shuffled'

export class VirtualClock {
  readonly #heap = new TinyQueue<Entry>([], before)
  readonly #tieOf: (happening: Happening) => number
  readonly #wakes = new Set<Millis>()
  #sequence = 0

  constructor(draw: Draw, tieOrder: TieOrder) {
    this.#tieOf =
      tieOrder === 'shuffled'
        ? ({ lane, name, at }) => draw.unit('tie', `${lane} ${name} ${at}`)
        : ({ lane }) => lanes.indexOf(lane)
  }

  schedule(happening: Happening): void {
    this.#sequence++
    this.#heap.push({ happening, tie: this.#tieOf(happening), sequence: this.#sequence })
  }

  /** One wake-up per instant, however often it is asked for. */
  wakeAt(at: Millis): void {
    if (this.#wakes.has(at)) return
    this.#wakes.add(at)
    this.schedule({ at, lane: 'wake', name: '', commands: () => wake })
  }

  /** Takes the next thing; undefined when nothing is to happen any more. */
  next(): Happening | undefined {
    const happening = this.#heap.pop()?.happening
    if (happening?.lane === 'wake') this.#wakes.delete(happening.at)
    return happening
  }

  /** Whether wake-ups are all there is. */
  get hasOnlyWakes(): boolean {
    return this.#heap.length === this.#wakes.size
  }
}

const wake: readonly CommandBody[] = [{ type: 'wake' }]

function before(a: Entry, b: Entry): number {
  return a.happening.at - b.happening.at || a.tie - b.tie || a.sequence - b.sequence
}
