/** The settings of the model: the value of each one that a queue was not given. */

import type { Configuration } from '../../engine/index.ts'

const defaults: Configuration = {
  policy: 'documented',
  mode: 'single',
  concurrency: 5,
  bisectionConcurrency: null,
  testingTimeoutMinutes: 300,
  pendingFailureDepth: 0,
  canOptimisticallyMerge: false,
  batch: false,
  batchingMaxWaitTimeMinutes: 5,
  batchingMinSize: 4,
  mergeMethod: 'squash',
  directMergeMode: 'off',
  tipTestMode: 'policy',
  optimizationMode: 'off',
  requiredStatuses: null,
  createPrsForTestingBranches: true,
  commentsEnabled: true,
  commandsEnabled: true,
  statusCheckEnabled: true,
  extensionEnabled: true,
  labelCommandsEnabled: true,
  stateLabelsEnabled: false,
  enqueueingLabel: 'merge-queue-submit',
}

export const settingsWith = (given: Partial<Configuration>): Configuration => ({
  ...defaults,
  ...given,
})
