/** Properties that watch one run, with one ledger for all of them. */

import type { QueueView } from '../../engine/index.ts'
import { newLedger } from '../ledger/ledger.ts'
import { dispatcherTo } from '../steps/dispatcher.ts'
import type { Point, Refusal } from '../steps/handlers.ts'
import type { Step } from '../steps/step.ts'
import { Activity } from './activity.ts'
import { Findings, type JudgedShare, type PropertyResult } from './findings.ts'
import type { Property, RunFacts, Violation } from './property.ts'

export type WatchedRun = {
  /** Passes the next step of the run to the properties. */
  onStep(step: Step): void
  /** Passes a command that was refused to the properties. */
  onRefusal(refusal: Refusal): void
  /** Notifies the properties that the run is over: the queue is at rest and no command follows. */
  atEnd(queue: QueueView): void
  /** The results so far, in the order of the properties. */
  readonly results: PropertyResult[]
  /** How much each property has judged so far. */
  readonly judged: JudgedShare[]
}

/** Begins to watch a run. `onViolation` is called at each violation that is kept. */
export function watchProperties(
  properties: readonly Property[],
  facts: RunFacts,
  onViolation?: (violation: Violation) => void,
): WatchedRun {
  // A run without properties needs no ledger.
  if (properties.length === 0) return unwatched
  const { ledger, projections } = newLedger(facts)
  const watched = properties.map((property) => {
    const findings = new Findings(property.name, onViolation)
    const { check, leaveOut } = findings
    return { findings, handlers: property.watch({ ...facts, ledger, check, leaveOut }) }
  })
  const handlers = watched.flatMap((each) => each.handlers ?? [])
  const activity = new Activity(handlers)
  // The ledger comes last, so that every handler sees it as it was before the event.
  const dispatcher = dispatcherTo([...handlers, ...projections])
  let last: Point | null = null
  return {
    onStep(step) {
      last = dispatcher.dispatch(step)
      activity.onStep(step.events.length)
    },
    onRefusal(refusal) {
      for (const { atRefusal } of handlers) atRefusal?.(refusal)
    },
    atEnd(queue) {
      for (const { atEnd } of handlers) atEnd?.(queue, last)
    },
    get results() {
      return watched.map(({ findings }) => findings.result)
    },
    get judged() {
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
