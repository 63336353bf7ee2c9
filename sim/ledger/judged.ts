/** How many pull requests the tests of the queue have judged, and how many failed. Rule: E-159. */

import type { Reason } from '../../engine/index.ts'
import type { Projection } from './projection.ts'

export type Judged = Projection & {
  /** The estimated share of pull requests that break the tests (E-75). */
  readonly failureRate: number
}

const failures: ReadonlySet<Reason | null> = new Set<Reason>([
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
  'TEST_RUN_TIMEOUT',
  'START_TEST_RUN_RETRY_EXHAUSTED',
])

export function judged(): Judged {
  let merged = 0
  let failed = 0
  return {
    get failureRate() {
      return (failed + 1) / (failed + merged + 10)
    },
    on: {
      pullRequestEnded({ reason }) {
        if (reason === 'MERGE_GRAPH_MERGE') merged++
        if (failures.has(reason)) failed++
      },
    },
  }
}
