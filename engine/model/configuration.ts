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
  holdOnlyWhileFlaky: {
    kind: 'flag',
    default: false,
    meaning:
      'pendingFailureDepth counts as 0 while at most one run in ten flakes, so that a failure waits only where it may be a flake.',
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
  batchesGrow: {
    kind: 'flag',
    default: false,
    meaning:
      'A batch is two pull requests, and more only if as many wait for each main slot: up to the target batch size, and to half an expected failure.',
  },
  failedStepAside: {
    kind: 'flag',
    default: false,
    meaning:
      'A failed group is left out of the groups behind at once; without effect while failures are held for successors (pendingFailureDepth).',
  },
  screening: {
    kind: 'flag',
    default: false,
    meaning:
      'A group behind groups that will probably not all pass is tested alone before it is tested on top of them.',
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
  convictionByOdds: {
    kind: 'flag',
    default: false,
    meaning:
      'Failed tests are run again until it is 10 times as probable that the pull request breaks them as that they flaked; only then is it FAILED.',
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
  mode: configurationFields.mode.default,
  concurrency: configurationFields.concurrency.default,
  bisectionConcurrency: configurationFields.bisectionConcurrency.default,
  testingTimeoutMinutes: configurationFields.testingTimeoutMinutes.default,
  pendingFailureDepth: configurationFields.pendingFailureDepth.default,
  holdOnlyWhileFlaky: configurationFields.holdOnlyWhileFlaky.default,
  canOptimisticallyMerge: configurationFields.canOptimisticallyMerge.default,
  batch: configurationFields.batch.default,
  batchingMaxWaitTimeMinutes: configurationFields.batchingMaxWaitTimeMinutes.default,
  batchingMinSize: configurationFields.batchingMinSize.default,
  batchesGrow: configurationFields.batchesGrow.default,
  failedStepAside: configurationFields.failedStepAside.default,
  screening: configurationFields.screening.default,
  mergeMethod: configurationFields.mergeMethod.default,
  directMergeMode: configurationFields.directMergeMode.default,
  convictionByOdds: configurationFields.convictionByOdds.default,
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

/**
 * Returns a configuration with the given fields and the default of every other field. Fields that older versions
 * have written and that are gone are left out.
 */
export function configurationWith(set: Partial<Configuration> = {}): Configuration {
  const known = Object.entries(set).filter(([name]) => Object.hasOwn(configurationFields, name))
  return { ...defaults, ...Object.fromEntries(known) }
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
