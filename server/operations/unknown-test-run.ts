/** Why a test run is not known: it never existed, or the hours in which it started are lost. */

import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { OperationRejection } from './errors.ts'

export function unknownTestRun(registry: QueueRegistry, testRun: string): OperationRejection {
  const epoch = registry.lostEpochOf(testRun)
  if (epoch === null) return { code: 'no such test run', testRun }
  return { code: 'lost test run', testRun, epoch }
}
