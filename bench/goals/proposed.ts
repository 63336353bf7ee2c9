/** The one setting that Mergeyard proposes for every team, whatever it is like. */

import type { Queue } from '../levers/levers.ts'

export const proposed = {
  canOptimisticallyMerge: true,
  pendingFailureDepth: 2,
  holdOnlyWhileFlaky: true,
  batch: true,
  batchingMinSize: 16,
  batchesGrow: true,
  batchingMaxWaitTimeMinutes: 5,
  screening: true,
  failedStepAside: true,
  convictionByOdds: true,
  survivorsTakeAlong: true,
} as const satisfies Queue

export const proposedName = 'Mergeyard, as proposed'
