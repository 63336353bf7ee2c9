/** Making a queue, and reading one back. */

import { emptyComposition } from './composition.ts'
import { configurationWith, type Configuration } from './configuration.ts'
import { noPhases } from './group.ts'
import { emptyOrder } from './pending-order.ts'
import type { WritableQueueState } from './queue-state.ts'
import type { Millis, Queue } from './state.ts'

export type NewQueue = {
  readonly at?: Millis
  readonly configuration?: Partial<Configuration>
  readonly state?: WritableQueueState
  readonly codeHost?: Queue['codeHost']
}

/** An empty queue. What is left out is as `configurationFields` says, RUNNING, merging at once. */
export function newQueue(wish: NewQueue = {}): Queue {
  return {
    configuration: configurationWith(wish.configuration),
    state: wish.state ?? 'RUNNING',
    wishedMode: null,
    codeHost: wish.codeHost ?? 'merges at once',
    now: wish.at ?? 0,
    wakeAt: null,
    nextDeadline: null,
    tip: { number: 0, composition: emptyComposition },
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
    flakyTests: {},
  }
}
