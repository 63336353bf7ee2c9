/**
 * The settings of a queue: default, range and meaning of each.
 *
 * A setting is described only in this table. The type `Configuration`, the queue part of the
 * scenario schema, the queue part of the OpenAPI document and the table in the README follow from
 * it, and tests compare them. The names are the names on the wire.
 */

type IntegerField = { kind: 'integer'; minimum: number; default: number; meaning: string }
type FollowingField = {
  kind: 'integer or null'
  minimum: number
  default: null
  meaning: string
}
type FlagField = { kind: 'flag'; default: boolean; meaning: string }
type ChoiceField = {
  kind: 'choice'
  choices: readonly string[]
  default: string
  meaning: string
}
type TextField = { kind: 'text'; default: string; meaning: string }
type NamesField = { kind: 'names or null'; default: null; meaning: string }

export type ConfigurationField =
  | IntegerField
  | FollowingField
  | FlagField
  | ChoiceField
  | TextField
  | NamesField

const kept = 'Stored and returned for clients; it has no effect on the engine.'

export const configurationFields = {
  policy: {
    kind: 'choice',
    choices: ['documented', 'adaptive'],
    default: 'documented',
    meaning:
      'documented: all settings count as they are; adaptive: batch sizes and what a failure does follow how often pull requests break and runs flake.',
  },
  mode: {
    kind: 'choice',
    choices: ['single', 'parallel'],
    default: 'single',
    meaning:
      'single: one line for all pull requests; parallel: independent lanes by impacted targets.',
  },
  concurrency: {
    kind: 'integer',
    minimum: 1,
    default: 5,
    meaning:
      'Maximum number of main test runs at once; a pull request or a batch counts as one run.',
  },
  bisectionConcurrency: {
    kind: 'integer or null',
    minimum: 1,
    default: null,
    meaning:
      'Maximum number of bisection test runs at once, in separate slots; null means concurrency.',
  },
  testingTimeoutMinutes: {
    kind: 'integer',
    minimum: 1,
    default: 300,
    meaning: 'A test run that takes this long is cancelled and counts as failed.',
  },
  pendingFailureDepth: {
    kind: 'integer',
    minimum: 0,
    default: 0,
    meaning: 'How many successor test runs a failure waits for before it counts.',
  },
  canOptimisticallyMerge: {
    kind: 'flag',
    default: false,
    meaning: 'A passing run clears every group it contains, also one whose own run failed.',
  },
  batch: {
    kind: 'flag',
    default: false,
    meaning: 'Test several pull requests together as one batch.',
  },
  batchingMaxWaitTimeMinutes: {
    kind: 'integer',
    minimum: 0,
    default: 5,
    meaning:
      'Longest wait for a batch to fill; 0 starts a batch with the pull requests that are there.',
  },
  batchingMinSize: {
    kind: 'integer',
    minimum: 1,
    default: 4,
    meaning:
      'Target batch size: the maximum number of pull requests in a batch (a historical name).',
  },
  mergeMethod: {
    kind: 'choice',
    choices: ['squash', 'merge_commit', 'rebase'],
    default: 'squash',
    meaning: `How the code host merges each pull request. ${kept}`,
  },
  directMergeMode: {
    kind: 'choice',
    choices: ['off', 'always'],
    default: 'off',
    meaning:
      'always: a pull request that is green on the tip and has nothing ahead merges without a run.',
  },
  tipTestMode: {
    kind: 'choice',
    choices: ['policy', 'off', 'always'],
    default: 'policy',
    meaning:
      'policy: always with the adaptive policy, else off; always: before a pull request fails without a run that passes without it, the tip is tested by itself, and nobody fails for what the tip breaks.',
  },
  optimizationMode: {
    kind: 'choice',
    choices: ['off', 'bisection_skip_redundant_tests'],
    default: 'off',
    meaning: `Bisection always reuses known results, whatever the value. ${kept}`,
  },
  requiredStatuses: {
    kind: 'names or null',
    default: null,
    meaning: `Statuses that a test run must report. ${kept}`,
  },
  createPrsForTestingBranches: { kind: 'flag', default: true, meaning: kept },
  commentsEnabled: { kind: 'flag', default: true, meaning: kept },
  commandsEnabled: { kind: 'flag', default: true, meaning: kept },
  statusCheckEnabled: { kind: 'flag', default: true, meaning: kept },
  extensionEnabled: { kind: 'flag', default: true, meaning: kept },
  labelCommandsEnabled: { kind: 'flag', default: true, meaning: kept },
  stateLabelsEnabled: { kind: 'flag', default: false, meaning: kept },
  enqueueingLabel: { kind: 'text', default: 'merge-queue-submit', meaning: kept },
} as const satisfies Record<string, ConfigurationField>

type ValueOf<Field extends ConfigurationField> = Field extends IntegerField
  ? number
  : Field extends FollowingField
    ? number | null
    : Field extends FlagField
      ? boolean
      : Field extends ChoiceField
        ? Field['choices'][number]
        : Field extends TextField
          ? string
          : readonly string[] | null

type Fields = typeof configurationFields

/** The settings of a queue. `configurationFields` describes each field. */
export type Configuration = { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }

const defaults: Configuration = {
  policy: configurationFields.policy.default,
  mode: configurationFields.mode.default,
  concurrency: configurationFields.concurrency.default,
  bisectionConcurrency: configurationFields.bisectionConcurrency.default,
  testingTimeoutMinutes: configurationFields.testingTimeoutMinutes.default,
  pendingFailureDepth: configurationFields.pendingFailureDepth.default,
  canOptimisticallyMerge: configurationFields.canOptimisticallyMerge.default,
  batch: configurationFields.batch.default,
  batchingMaxWaitTimeMinutes: configurationFields.batchingMaxWaitTimeMinutes.default,
  batchingMinSize: configurationFields.batchingMinSize.default,
  mergeMethod: configurationFields.mergeMethod.default,
  directMergeMode: configurationFields.directMergeMode.default,
  tipTestMode: configurationFields.tipTestMode.default,
  optimizationMode: configurationFields.optimizationMode.default,
  requiredStatuses: configurationFields.requiredStatuses.default,
  createPrsForTestingBranches: configurationFields.createPrsForTestingBranches.default,
  commentsEnabled: configurationFields.commentsEnabled.default,
  commandsEnabled: configurationFields.commandsEnabled.default,
  statusCheckEnabled: configurationFields.statusCheckEnabled.default,
  extensionEnabled: configurationFields.extensionEnabled.default,
  labelCommandsEnabled: configurationFields.labelCommandsEnabled.default,
  stateLabelsEnabled: configurationFields.stateLabelsEnabled.default,
  enqueueingLabel: configurationFields.enqueueingLabel.default,
}

const policyInstead = 'set policy to adaptive, which includes it'

/** Settings that earlier versions had, and what has replaced each. */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ['survivorsTakeAlong', 'survivors that are tested again are a group of their own'],
  ['holdOnlyWhileFlaky', policyInstead],
  ['batchesGrow', policyInstead],
  ['failedStepAside', policyInstead],
  ['screening', policyInstead],
  ['convictionByOdds', policyInstead],
])

/** Returns a configuration with the given fields and the default of every other field. */
export function configurationWith(set: Partial<Configuration> = {}): Configuration {
  return { ...defaults, ...set }
}

/**
 * Returns settings that an earlier version may have written, without those that are gone. If one that the
 * policy has replaced was on, the policy is adaptive; if some are named and none is on, it is documented.
 */
export function upgraded<More extends object>(
  written: Partial<Configuration> & More,
): Partial<Configuration> & More {
  const replaced = Object.entries(written).filter(
    ([name]) => removedSettings.get(name) === policyInstead,
  )
  const left = { ...written }
  for (const name of removedSettings.keys()) Reflect.deleteProperty(left, name)
  if (replaced.length === 0) return left
  const isAdaptive = replaced.some(([, value]) => value === true)
  return { ...left, policy: isAdaptive ? 'adaptive' : 'documented' }
}

/**
 * Returns how many bisection runs may be in progress at once: `bisectionConcurrency` or
 * `concurrency`.
 */
export function bisectionSlots(configuration: Readonly<Configuration>): number {
  return configuration.bisectionConcurrency ?? configuration.concurrency
}

/** Returns the maximum number of pull requests in a group: 1 unless batching is on. */
export function targetBatchSize(configuration: Readonly<Configuration>): number {
  return configuration.batch ? configuration.batchingMinSize : 1
}
