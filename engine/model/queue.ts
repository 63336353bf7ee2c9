/** The initial state of a queue. */

import { emptyComposition } from './ids.ts'
import { configurationWith, type Configuration } from './configuration.ts'
import { noPhases } from './group.ts'
import { emptyOrder } from './pending-order.ts'
import type { QuarantineEntry, Millis, Queue } from './state.ts'
import type { WritableQueueState } from './queue-state.ts'

export type NewQueue = {
  readonly at?: Millis
  readonly configuration?: Partial<Configuration>
  readonly state?: WritableQueueState
  readonly codeHost?: Queue['codeHost']
  /** The tests in quarantine from the beginning. */
  readonly quarantine?: Readonly<Record<string, QuarantineEntry>>
}

/**
 * Returns an empty queue. By default it has the default settings, is RUNNING, starts at instant 0
 * and merges at once, without a code host.
 */
export function newQueue(options: NewQueue = {}): Queue {
  const { quarantine } = options
  return {
    configuration: configurationWith(options.configuration),
    state: options.state ?? 'RUNNING',
    wishedMode: null,
    codeHost: options.codeHost ?? 'merges at once',
    now: options.at ?? 0,
    wakeAt: null,
    nextDeadline: null,
    tip: { number: 0, composition: emptyComposition },
    landed: [],
    last: { submission: 0, group: 0, bisection: 0, testRun: 0 },
    pullRequests: {},
    impactedTargets: {},
    greenOnTip: [],
    hostFacts: {},
    order: emptyOrder(),
    line: [],
    groups: {},
    phases: noPhases(),
    touching: { byTarget: {}, all: [] },
    bisections: [],
    testRuns: {},
    slots: { main: 0, bisection: 0 },
    judged: { count: 0, failed: 0 },
    verdicts: [],
    verdictMarks: [],
    flakyTests: {},
    ...(quarantine ? { quarantine: { tests: { ...quarantine }, mergesBy: {}, merges: 0 } } : {}),
  }
}
