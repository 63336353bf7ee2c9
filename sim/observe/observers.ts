/** What watches a run: its properties, with one ledger for all of them, its trace, and readers of its steps. */

import type { Command, Event, QueueView, TestRunId } from '../../engine/index.ts'
import { TextDigest } from '../random/digest.ts'
import { newLedger } from '../ledger/ledger.ts'
import {
  type EventHandler,
  type EventHandlers,
  type Handlers,
  type Point,
  type Topic,
  type Topics,
  isTerminal,
  type SeenStep,
  type Step,
} from '../steps/step.ts'
import { Findings, type JudgedShare, type PropertyResult } from './findings.ts'
import type { Property, RunFacts, Violation } from './property.ts'
import type { RunContext, SimulateOptions, StepReader } from './run-context.ts'

// The trace of a run: every accepted command and every event, one JSON line each. Two runs are
// equal if their traces have the same hash.

/**
 * Returns the trace lines of one accepted command and its events. The code builds each type of
 * event in one place, so the order of keys is stable.
 */
export function linesOf(command: Command, events: readonly Event[]): string {
  let lines = `{"command":${JSON.stringify(command)}}\n`
  for (const event of events) lines += `{"event":${JSON.stringify(event)}}\n`
  return lines
}

/** Text is hashed in pieces of about this many characters, because each call costs time. */
const pieceLength = 65_536

export class TraceHash {
  readonly #digest = new TextDigest()
  #piece = ''

  /** Writes a command with its events as one JSON value, which is faster than one line for each. */
  add(command: Command, events: readonly Event[]): void {
    this.#piece += JSON.stringify([command, events])
    if (this.#piece.length >= pieceLength) this.#flush()
  }

  /** SHA-256 of the whole trace, as hexadecimal text. Nothing can be added after this call. */
  digest(): string {
    this.#flush()
    return this.#digest.hex()
  }

  #flush(): void {
    this.#digest.add(this.#piece)
    this.#piece = ''
  }
}

type WatchedRun = {
  /** Passes the next step of the run to the properties. */
  onStep(step: Step): void
  /** Notifies the properties that the engine has refused a command, after `sequence` events. */
  onRefusal(command: Command, sequence: number): void
  /** Notifies the properties that the run is over: the queue is at rest and no command follows. */
  atEnd(queue: QueueView): void
  /** The results so far, in the order of the properties. */
  readonly results: PropertyResult[]
  /** How much each property has judged so far. */
  readonly judged: JudgedShare[]
}

/**
 * The properties look at so many steps together. If they looked at each step, engine and properties would
 * drive each other's code out of the caches of the processor.
 */
const stepsTogether = 64

/**
 * Begins to watch a run. `onViolation` is called at each violation that is kept; the caller gets
 * it right after the step.
 */
export function watchProperties(
  properties: readonly Property[],
  facts: RunFacts,
  onViolation?: (violation: Violation) => void,
): WatchedRun {
  // A run without properties needs no ledger.
  if (properties.length === 0) return unwatched
  const backlog = new Backlog(facts.isFlake)
  const known = { ...facts, isFlake: backlog.isFlake }
  // Nobody looks at an earlier step with the truth of a later one.
  facts.truth.beforeChange(() => catchUp())
  const { ledger, handlers: keeping } = newLedger(known)
  const watched = properties.map((property) => {
    const findings = new Findings(property.name, onViolation)
    const { check, leaveOut } = findings
    return { findings, handlers: property.watch({ ...known, ledger, check, leaveOut }) }
  })
  const handlers = watched.flatMap((each) => each.handlers ?? [])
  const refusalListeners = handlers.flatMap(({ atRefusal }) => atRefusal ?? [])
  const activity = new Activity(handlers)
  // The ledger comes last, so that every handler sees it as it was before the event.
  const dispatch = dispatcherTo([...handlers, ...keeping])
  let last: Point | null = null
  const catchUp = (): void => {
    backlog.takeAll((entry) => {
      if ('command' in entry) {
        for (const onRefusal of refusalListeners) onRefusal(entry.command, entry.sequence)
        return
      }
      last = dispatch(entry.step)
      activity.onStep(entry.step.events.length)
    })
  }
  const most = onViolation ? 1 : stepsTogether
  return {
    onStep(step) {
      backlog.addStep(step)
      if (backlog.length >= most) catchUp()
    },
    onRefusal(command, sequence) {
      if (refusalListeners.length === 0) return
      backlog.addRefusal(command, sequence)
      if (backlog.length >= most) catchUp()
    },
    atEnd(queue) {
      catchUp()
      for (const { atEnd } of handlers) atEnd?.(queue, last)
    },
    get results() {
      catchUp()
      return watched.map(({ findings }) => findings.result)
    },
    get judged() {
      catchUp()
      return watched.map((each) => each.findings.judgedIn(activity.eventsOf(each.handlers)))
    },
  }
}

const unwatched: WatchedRun = {
  onStep: () => undefined,
  onRefusal: () => undefined,
  atEnd: () => undefined,
  results: [],
  judged: [],
}

// Counts the events in which each property was active: could have been violated (S-171).

/**
 * A property that is active only at times. It counts as active in a command if it is before or
 * after it: a command that ends a pause could still break a rule about pauses.
 */
type Sometimes = { readonly isActive: () => boolean; wasActive: boolean; events: number }

class Activity {
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

// The steps and refusals of a run at which its properties have not looked yet, in order.

type Refusal = { readonly command: Command; readonly sequence: number }

type Entry = { readonly step: SeenStep } | Refusal

class Backlog {
  readonly #isFlakeNow: (testRun: TestRunId) => boolean
  readonly #flaked = new Set<TestRunId>()
  #entries: Entry[] = []

  /** `isFlakeNow` is asked when a run fails, because the world forgets the run soon after. */
  constructor(isFlakeNow: (testRun: TestRunId) => boolean) {
    this.#isFlakeNow = isFlakeNow
  }

  get length(): number {
    return this.#entries.length
  }

  /** Whether the run, which failed in one of the steps, failed only because of a flake. */
  readonly isFlake = (testRun: TestRunId): boolean => this.#flaked.has(testRun)

  addStep(step: Step): void {
    for (const event of step.events) {
      if (event.type !== 'testRunFinished' || event.outcome !== 'failed') continue
      if (this.#isFlakeNow(event.testRun)) this.#flaked.add(event.testRun)
    }
    this.#entries.push({ step })
  }

  addRefusal(command: Command, sequence: number): void {
    this.#entries.push({ command, sequence })
  }

  /** Passes each to `take`, in order. */
  takeAll(take: (entry: Entry) => void): void {
    const entries = this.#entries
    this.#entries = []
    for (const entry of entries) take(entry)
    this.#flaked.clear()
  }
}

type ByTopic = { readonly [Each in Topic]?: readonly EventHandler<Topics[Each]>[] }

/**
 * Calls the handlers of a run. There are many events, and each concerns few handlers, so the
 * handlers of a topic are looked up once and not for each event.
 */
type Dispatcher = (step: SeenStep) => Point

/**
 * Returns a function that calls these handlers for a step, in this order at each event. It returns the
 * point after the last event.
 */
function dispatcherTo(all: readonly Handlers[]): Dispatcher {
  const atCommand = all.flatMap((each) => each.atCommand ?? [])
  const atEach = all.flatMap((each) => each.atEach ?? [])
  const atRest = all.flatMap((each) => each.atRest ?? [])
  const report = eventDispatcher(all.flatMap(({ on }) => on ?? []))
  return (step) => {
    const { at } = step.command
    let { sequence } = step
    const before = { at, sequence, step }
    for (const handle of atCommand) handle(before)
    for (const event of step.events) {
      sequence++
      const point = { at, sequence, step }
      report(event, point)
      for (const handle of atEach) handle(event, point)
    }
    const after = { at, sequence, step }
    for (const handle of atRest) handle(after)
    return after
  }
}

function eventDispatcher(all: readonly EventHandlers[]): EventHandler<Event> {
  const byTopic: ByTopic = {
    pullRequestEnded: all.flatMap(({ pullRequestMoved, pullRequestEnded }) => [
      ...(pullRequestMoved ? [pullRequestMoved] : []),
      ...(pullRequestEnded ? [pullRequestEnded] : []),
    ]),
  }

  const handlersOf = <Each extends Topic>(topic: Each): readonly EventHandler<Topics[Each]>[] => {
    const known: readonly EventHandler<Topics[Each]>[] | undefined = byTopic[topic]
    if (known) return known
    const gathered: EventHandler<Topics[Each]>[] = []
    for (const { [topic]: handle } of all) if (handle) gathered.push(handle)
    Object.assign(byTopic, { [topic]: gathered })
    return gathered
  }
  const report = <Each extends Topic>(topic: Each, event: Topics[Each], point: Point): void => {
    for (const handle of handlersOf(topic)) handle(event, point)
  }
  return (event, point) => {
    const { type } = event
    if (type === 'pullRequestMoved' && isTerminal(event.to)) {
      report('pullRequestEnded', event, point)
    } else report(type, event, point)
  }
}

/** The observers of one run: its trace, the functions that read its steps, and its properties. */
export class Observers {
  readonly properties: WatchedRun
  readonly #observers: readonly StepReader[]
  readonly #onTrace: SimulateOptions['onTrace']
  readonly #isHashed: boolean
  readonly #trace = new TraceHash()

  constructor(
    context: RunContext,
    { properties = [], observers = [], onTrace, onViolation, isUnhashed }: SimulateOptions,
  ) {
    this.#isHashed = isUnhashed !== true
    this.properties = watchProperties(properties, context, onViolation)
    this.#observers = observers.map((observer) => observer(context))
    this.#onTrace = onTrace
  }

  /** Passes the next step of the run to all observers. */
  onStep(step: Step): void {
    const { command, events } = step
    if (this.#isHashed) this.#trace.add(command, events)
    this.#onTrace?.(linesOf(command, events))
    for (const read of this.#observers) read(step)
    this.properties.onStep(step)
  }

  /** SHA-256 of the trace. Call it once, at the end. */
  traceHash(): string {
    return this.#trace.digest()
  }
}
