/** Random worlds: all kinds of commands, in any order, with any settings. */

import fc from 'fast-check'
import type { CommandBody, ImpactedTargets } from '../../../engine/index.ts'
import type { RunFault, ScriptedCommand, StreamSpec } from './drive.ts'
import { at, conflict } from './script.ts'
import type { TruthFacts } from './truth.ts'

const people = 14
const number = fc.integer({ min: 1, max: people })

const configuration = fc.record({
  concurrency: fc.integer({ min: 1, max: 4 }),
  bisectionConcurrency: fc.option(fc.integer({ min: 1, max: 3 })),
  pendingFailureDepth: fc.constantFrom(0, 0, 1, 2),
  canOptimisticallyMerge: fc.constantFrom(false, false, true),
  batch: fc.constantFrom(true, true, false),
  batchingMinSize: fc.integer({ min: 1, max: 6 }),
  batchingMaxWaitTimeMinutes: fc.constantFrom(0, 1, 5, 20),
  testingTimeoutMinutes: fc.constantFrom(300, 45),
  directMergeMode: fc.constantFrom('off', 'off', 'always'),
})

const facts: fc.Arbitrary<TruthFacts> = fc.record({
  breaks: fc.array(number, { maxLength: 4 }),
  pairs: fc.array(fc.tuple(number, number), { maxLength: 2 }),
  fixes: fc.array(fc.tuple(number, number), { maxLength: 1 }),
  conflicts: fc.array(
    fc.tuple(number, number).filter(([a, b]) => a !== b),
    { maxLength: 5 },
  ),
})

const submission = fc.record({
  type: fc.constant('submitPullRequest' as const),
  number,
  priority: fc.constantFrom(100, 100, 100, 100, 50, 0),
  noBatch: fc.constantFrom(false, false, false, false, true),
})

const touched = fc.oneof(
  { weight: 9, arbitrary: fc.subarray(['web', 'api', 'docs'], { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant('ALL' as const) },
)

const interference: fc.Arbitrary<CommandBody> = fc.oneof(
  fc.record({ type: fc.constant('setImpactedTargets' as const), number, targets: touched }),
  fc.record({
    type: fc.constant('cancelPullRequest' as const),
    number,
    reason: fc.constantFrom('USER_REQUESTED', 'PR_PUSHED_TO'),
  }),
  fc.record({ type: fc.constant('restartTests' as const), number }),
  fc.record({ type: fc.constant('reportManualMerge' as const), number }),
  fc.record({
    type: fc.constant('reportPullRequest' as const),
    number,
    greenOnTip: fc.boolean(),
    mergeable: fc.constantFrom(true, true, false),
  }),
  fc.constant({ type: 'reportPush' as const }),
  fc.record({
    type: fc.constant('updateQueue' as const),
    set: fc.oneof(
      fc.record({ state: fc.constantFrom('PAUSED', 'RUNNING', 'DRAINING') }),
      fc.record({ concurrency: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ mode: fc.constantFrom('single', 'parallel') }),
      fc.record({ canOptimisticallyMerge: fc.boolean() }),
      fc.record({ batch: fc.boolean(), batchingMinSize: fc.integer({ min: 1, max: 6 }) }),
    ),
  }),
)

const minute = fc.integer({ min: 0, max: 240 }).map((quarters) => quarters / 4)

const submissions: fc.Arbitrary<ScriptedCommand[]> = fc.array(
  fc.record({ atMinute: minute, command: submission }),
  { minLength: 1, maxLength: 24 },
)

const faultyRuns: fc.Arbitrary<Record<number, RunFault>> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom<RunFault>('errored', 'errored', 'hangs', 'flakes', 'reported twice'),
    ),
    { maxLength: 8 },
  )
  .map((pairs) => Object.fromEntries(pairs))

/** Reports text conflicts and targets before all other commands. */
function withReports(world: StreamSpec, targets: readonly ImpactedTargets[]): StreamSpec {
  const uploads = targets.map((each, index): ScriptedCommand => {
    return at(0, { type: 'setImpactedTargets', number: index + 1, targets: each })
  })
  const reports = (world.facts?.conflicts ?? []).map(([a, b]) => conflict(0, a, b))
  return { ...world, script: [...uploads, ...reports, ...world.script] }
}

export type StreamOptions = {
  /** Whether the queue has lanes. */
  readonly isParallel?: boolean
  readonly hasFaultyRuns: boolean
  /** The largest number of commands besides submissions. */
  readonly interferences: number
}

export function worlds(made: StreamOptions): fc.Arbitrary<StreamSpec> {
  const { isParallel = false, hasFaultyRuns, interferences } = made
  const mode = isParallel ? 'parallel' : 'single'
  return fc
    .record({
      configuration: configuration.map((drawn) => ({ ...drawn, mode }) as const),
      facts,
      faultyRuns: hasFaultyRuns ? faultyRuns : fc.constant({}),
      runMinutes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 7 }),
      mergeMinutes: fc.constantFrom(null, null, 0, 1, 4),
      refuses: interferences > 0 ? fc.array(number, { maxLength: 2 }) : fc.constant([]),
      submissions,
      interferences: fc.array(fc.record({ atMinute: minute, command: interference }), {
        maxLength: interferences,
      }),
      targets: isParallel
        ? fc.array(touched, { minLength: people, maxLength: people })
        : fc.constant([]),
    })
    .map(({ submissions: submitted, interferences: others, targets, ...world }) =>
      withReports({ ...world, script: [...submitted, ...others] }, targets),
    )
}
