/**
 * Scenarios for property-based tests, `mergeyard/arbitrary`: with every kind of fault, and small
 * enough to run hundreds of them. Needs the package `fast-check`.
 */

import fc from 'fast-check'
import { checkScenario } from '../scenario/check.ts'
import type { Scenario } from '../scenario/scenario.ts'

const rate = fc.constantFrom(0, 0, 0.1, 0.3)
const minutes = fc.integer({ min: 0, max: 600 }).map((tenths) => tenths / 10)

const queue = fc.record({
  concurrency: fc.integer({ min: 1, max: 4 }),
  batch: fc.boolean(),
  batchingMinSize: fc.integer({ min: 1, max: 5 }),
  batchingMaxWaitTimeMinutes: fc.integer({ min: 0, max: 7 }),
  pendingFailureDepth: fc.integer({ min: 0, max: 2 }),
  canOptimisticallyMerge: fc.boolean(),
})

const suite = fc.record(
  {
    minutes: fc.oneof(
      fc.constant(10),
      fc.constant({ median: 10, p95: 20 }),
      fc.constant({ uniform: [3, 9] as const }),
      fc.constant({ exponential: 5 }),
    ),
    minutesFailing: fc.oneof(fc.constant(0.3), fc.constant({ uniform: [1, 9] as const })),
    startDelay: fc.constant({ minutes: { exponential: 1 }, perCheck: 0.5 }),
    per: fc.constantFrom('run' as const, 'pullRequest' as const),
  },
  { requiredKeys: ['minutes'] },
)

const entry = (number: number): fc.Arbitrary<NonNullable<Scenario['pullRequests']>[number]> =>
  fc.record(
    {
      number: fc.constant(number),
      at: minutes,
      breaks: fc.constantFrom(false, false, true),
      clashesWith: fc.constant(number > 2 ? [number - 2] : []),
      breaksWith: fc.constant(number > 1 ? [number - 1] : []),
      fixes: fc.constant(number > 2 ? [number - 2] : []),
      conflictsWith: fc.constant(number > 3 ? [number - 3] : []),
      dependsOn: fc.constantFrom([], [], number > 1 ? [number - 1] : []),
      flakeRate: rate,
      flakyRuns: fc.constantFrom([], [1], [2]),
      noBatch: fc.boolean(),
      priority: fc.constantFrom('medium' as const, 'high' as const, 'urgent' as const),
      testMinutes: fc.integer({ min: 1, max: 20 }),
    },
    { requiredKeys: ['number'] },
  )

const pullRequests = fc
  .integer({ min: 1, max: 6 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => entry(index + 1))))

const traffic = fc.record({
  count: fc.integer({ min: 0, max: 12 }),
  arrivals: fc.oneof(
    fc.constant({ perHour: 20 }),
    fc.constant({ perHour: 20, perWeekday: [1, 1, 1, 1, 1, 0, 0], doublings: 2 }),
    fc.constant({ everyMinutes: 3 }),
    fc.constant({ bursts: { size: 4, everyMinutes: 20 } }),
  ),
  breakRate: fc.constantFrom(0, 0.2, { rate: 0.2, sticky: 0.6 }),
  conflictRate: rate,
  clashRate: rate,
  baseAge: fc.constantFrom(0, 60),
  flakyPullRequestRate: rate,
  urgentRate: rate,
  noBatchRate: rate,
  stacks: fc.constantFrom({ share: 0 }, { share: 0.5, depth: 3 }),
  cancelRate: rate,
  pushRate: rate,
})

const suiteFlakes = fc.record({
  perRun: rate,
  per: fc.constantFrom('run' as const, 'pullRequest' as const),
  tests: fc.constantFrom(
    [],
    [{ name: 'checkout > pays twice', rate: 0.1 }],
    [{ name: 'checkout > pays once', rate: 0.5, retryPassRate: 0.6 }],
  ),
})

const faults = fc.record({
  lostRunRate: rate,
  duplicateResultRate: rate,
  contradictoryResultRate: rate,
  lateResultMinutes: fc.constantFrom(0, 3),
  hangRate: fc.constantFrom(0, 0.05),
  mergeRefusedRate: rate,
  mergeConflictRate: rate,
  branchMovedRate: rate,
  partialPushRate: rate,
  lostCommandRate: fc.constantFrom(0, 0.1),
  mergeMinutes: fc.constantFrom(0, 0.5),
  outages: fc.constantFrom([], [{ from: 30, minutes: 20 }]),
  serverOutages: fc.constantFrom([], [{ from: 25, minutes: 400 }]),
})

const codeHost = fc.record({ landsGroups: fc.boolean(), conflictsFoundByBuild: fc.boolean() })

const event = fc.oneof(
  fc.record({
    at: minutes,
    do: fc.constantFrom('cancel' as const, 'restart' as const, 'push' as const, 'submit' as const),
    number: fc.constant(1),
  }),
  fc.record({ at: minutes, do: fc.constant('pushToBranch' as const) }),
  fc.record({
    at: minutes,
    do: fc.constant('updateQueue' as const),
    set: fc.record({ state: fc.constantFrom('RUNNING' as const, 'PAUSED' as const) }),
  }),
)

const fields = {
  seed: fc.integer({ min: 0, max: 1000 }),
  queue,
  suite,
  pullRequests,
  traffic,
  suiteFlakes,
  events: fc.array(event, { maxLength: 4 }),
  codeHost,
  faults,
  tieOrder: fc.constantFrom('submission' as const, 'shuffled' as const),
}

/** The fields that have the same value in every generated scenario. */
export type FixedFields = Omit<Scenario, 'name' | '$schema' | 'expect' | 'mustFail'>

/**
 * Arbitrary scenarios with up to 18 pull requests: breaks, flakes, text conflicts, cancels, pushes,
 * lost runs, changed settings. A failing one is shrunk by fast-check as usual.
 *
 * `fixed` holds the fields that must not vary, for example the settings of your queue:
 * `anyScenario({ queue: { batch: true, batchingMinSize: 8 } })`. A fixed field replaces the drawn
 * one as a whole. Throws `BadInput` if a fixed field does not fit the schema of scenarios.
 */
export function anyScenario(fixed: FixedFields = {}): fc.Arbitrary<Scenario> {
  return fc
    .record(fields)
    .map((drawn) => checkScenario({ name: 'any scenario', ...drawn, ...fixed }, 'any scenario'))
}
