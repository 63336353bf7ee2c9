/**
 * The frame every property hangs in: what it looks at, and how it reports.
 *
 * All who watch one run share one set of books: keeping them once per property would cost more
 * than the engine itself. So they go through the events together, whoever of them is told of a
 * moment first. The rule of the house: a handler sees the books as they were *before* its event.
 */

import type { EventOf, EventType, Millis, QueueView } from '../../engine/index.ts'
import type { Moment } from '../moment.ts'
import { ledger, type Ledger } from './model/ledger.ts'
import type { Findings, Setting, Watcher } from './property.ts'
import { asSentence } from './telling.ts'

/** Where in the run something was seen. */
export type Seen = {
  readonly at: Millis
  /** The first event of a run has number 1. */
  readonly sequence: number
  readonly moment: Moment
}

type Handlers = {
  readonly [Type in EventType]?: (event: EventOf<Type>, seen: Seen) => void
}

export type Watch = {
  readonly on?: Handlers
  /** Before the first event of a command. */
  readonly atCommand?: (seen: Seen) => void
  /** After the last event of a command, when the queue rests. */
  readonly atRest?: (seen: Seen) => void
  readonly atEnd?: (queue: QueueView, seen: Seen | null) => void
}

/** Everybody who watches one run. */
class Lookout {
  readonly books: Ledger
  readonly #watches: Watch[] = []
  readonly #interested = new Map<EventType, Handlers[]>()
  #moment: Moment | null = null
  #last: Seen | null = null

  constructor({ configuration, truth }: Setting) {
    this.books = ledger(configuration, truth)
  }

  get hasBegun(): boolean {
    return this.#moment !== null
  }

  add(watch: Watch): Watcher {
    this.#watches.push(watch)
    return {
      onMoment: (moment) => this.#hear(moment),
      atEnd: (queue) => watch.atEnd?.(queue, this.#last),
    }
  }

  #hear(moment: Moment): void {
    if (moment === this.#moment) return
    this.#moment = moment
    const { at } = moment.command
    let { sequence } = moment
    const before = { at, sequence, moment }
    this.books.settings.begin(moment)
    for (const { atCommand } of this.#watches) atCommand?.(before)
    for (const event of moment.events) {
      sequence++
      const seen = { at, sequence, moment }
      for (const on of this.#interestedIn(event.type)) handle(on, event.type, event, seen)
      this.books.see(event, at)
    }
    const after = { at, sequence, moment }
    this.#last = after
    for (const { atRest } of this.#watches) atRest?.(after)
  }

  #interestedIn(type: EventType): readonly Handlers[] {
    let interested = this.#interested.get(type)
    if (!interested) {
      interested = this.#watches.flatMap(({ on }) => (on && type in on ? [on] : []))
      this.#interested.set(type, interested)
    }
    return interested
  }
}

function handle<Type extends EventType>(
  on: Handlers,
  type: Type,
  event: EventOf<Type>,
  seen: Seen,
): void {
  on[type]?.(event, seen)
}

/** A setting belongs to one run; watching it again once that has begun is another run. */
const lookouts = new WeakMap<Setting, Lookout>()

function lookoutOf(setting: Setting): Lookout {
  const known = lookouts.get(setting)
  if (known && !known.hasBegun) return known
  const opened = new Lookout(setting)
  lookouts.set(setting, opened)
  return opened
}

/** The books of the run that is about to begin. */
export function booksOf(setting: Setting): Ledger {
  return lookoutOf(setting).books
}

/** A watcher that hears every event with everybody else who watches the run. */
export function watcher(setting: Setting, watch: Watch): Watcher {
  return lookoutOf(setting).add(watch)
}

export type Story = { readonly story: string; readonly pullRequests: readonly number[] }

/** Counts a check, and tells the story only where it does not hold. */
export type Judge = (holds: boolean, seen: Seen, tell: () => Story) => void

export function judgeInto(findings: Findings): Judge {
  return (holds, { at, sequence }, tell) => {
    findings.check()
    if (holds) return
    const { story, pullRequests } = tell()
    findings.violate({ at, sequence, story: asSentence(story), pullRequests })
  }
}

/**
 * A judge of what the truth decides. It says nothing once lanes have clashed that declared no
 * target in common: whom that hits depends on who was faster, and is told in the result.
 */
export function judgeByTruth(findings: Findings, { crossings }: Ledger): Judge {
  const judge = judgeInto(findings)
  return (holds, seen, tell) => {
    if (!crossings.any) judge(holds, seen, tell)
  }
}
