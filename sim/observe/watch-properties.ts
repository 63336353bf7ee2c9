/** Properties that watch one run, with one ledger for all of them. */

import type { Command, QueueView } from '../../engine/index.ts'
import { newLedger } from '../ledger/ledger.ts'
import { dispatcherTo } from '../steps/dispatcher.ts'
import type { Point } from '../steps/handlers.ts'
import type { Step } from '../steps/step.ts'
import { Activity } from './activity.ts'
import { Backlog } from './backlog.ts'
import { Findings, type JudgedShare, type PropertyResult } from './findings.ts'
import type { Property, RunFacts, Violation } from './property.ts'

export type WatchedRun = {
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
 * Begins to watch a run. `onViolation` is called at each violation that is kept; whoever passes it hears of
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
  const { ledger, projections } = newLedger(known)
  const watched = properties.map((property) => {
    const findings = new Findings(property.name, onViolation)
    const { check, leaveOut } = findings
    return { findings, handlers: property.watch({ ...known, ledger, check, leaveOut }) }
  })
  const handlers = watched.flatMap((each) => each.handlers ?? [])
  const hearRefusals = handlers.flatMap(({ atRefusal }) => atRefusal ?? [])
  const activity = new Activity(handlers)
  // The ledger comes last, so that every handler sees it as it was before the event.
  const dispatcher = dispatcherTo([...handlers, ...projections])
  let last: Point | null = null
  const catchUp = (): void => {
    backlog.takeAll({
      step(step) {
        last = dispatcher.dispatch(step)
        activity.onStep(step.events.length)
      },
      refusal(command, sequence) {
        for (const hear of hearRefusals) hear(command, sequence)
      },
    })
  }
  const most = onViolation ? 1 : stepsTogether
  return {
    onStep(step) {
      backlog.addStep(step)
      if (backlog.length >= most) catchUp()
    },
    onRefusal(command, sequence) {
      if (hearRefusals.length === 0) return
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
