/**
 * The frame every property hangs in: what it looks at, and how it reports.
 *
 * All who watch one run share one set of books: keeping them once per property would cost more
 * than the engine itself. So they go through the events together, whoever of them is told of a
 * moment first. The rule of the house: a handler sees the books as they were *before* its event.
 */

import type { QueueView } from '../../engine/index.ts'
import type { Moment } from '../moment.ts'
import type { Listening, Seen } from './model/book.ts'
import { ledger, type Ledger } from './model/ledger.ts'
import { tellTo, type Tell } from './model/tell.ts'
import type { Findings, Setting, Watcher } from './property.ts'
import { asSentence } from './telling.ts'

export type { Seen } from './model/book.ts'

type Look = (seen: Seen) => void

export type Watch = {
  readonly on?: Listening
  /** Before the first event of a command. */
  readonly atCommand?: Look
  /** After the last event of a command, when the queue rests. */
  readonly atRest?: Look
  readonly atEnd?: (queue: QueueView, seen: Seen | null) => void
}

/** Everybody who watches one run. */
class Lookout {
  readonly books: Ledger
  readonly #watches: Watch[] = []
  #watching: Watching | null = null
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
    return { onMoment: this.#onMoment, atEnd: (queue) => watch.atEnd?.(queue, this.#last) }
  }

  /** One for all: whoever brings the moments can see that one call will do. */
  readonly #onMoment = (moment: Moment): void => {
    if (moment === this.#moment) return
    this.#moment = moment
    this.#watching ??= watching(this.#watches, this.books)
    this.#last = show(moment, this.#watching, this.books)
  }
}

/** Who is to be called when, by what they watch. */
type Watching = {
  readonly atCommand: readonly Look[]
  readonly tell: Tell
  readonly atRest: readonly Look[]
}

function watching(watches: readonly Watch[], { inOrder }: Ledger): Watching {
  return {
    atCommand: watches.flatMap(({ atCommand }) => atCommand ?? []),
    tell: tellTo([...watches, ...inOrder].flatMap(({ on }) => on ?? [])),
    atRest: watches.flatMap(({ atRest }) => atRest ?? []),
  }
}

/** Shows everybody a moment, event by event; answers with how it looks at rest. */
function show(moment: Moment, { atCommand, tell, atRest }: Watching, books: Ledger): Seen {
  const { at } = moment.command
  let { sequence } = moment
  const before = { at, sequence, moment }
  books.settings.begin(moment)
  for (const look of atCommand) look(before)
  for (const event of moment.events) {
    sequence++
    tell(event, { at, sequence, moment })
  }
  const after = { at, sequence, moment }
  for (const look of atRest) look(after)
  return after
}

/** A setting belongs to one run; watching it again once that has begun is another run. */
const lookouts = new WeakMap<Setting, Lookout>()

/**
 * Held on to until the next run, for one reason: a collection of all garbage throws away the
 * machine code of handlers that nobody holds, and the next run would have to have it made again.
 */
const latest: { lookout: Lookout | null } = { lookout: null }

function lookoutOf(setting: Setting): Lookout {
  const known = lookouts.get(setting)
  if (known && !known.hasBegun) return known
  const opened = new Lookout(setting)
  lookouts.set(setting, opened)
  latest.lookout = opened
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
