/** The quarantine of a queue as the API and the page show it. Rule: A-351. */

import { isInForce, quarantineProposals, type Millis } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'

/** The tests in the order of their names, and the proposals. */
export function quarantineOf({ engine }: ManagedQueue, at: Millis): wire.Quarantine {
  const { quarantine } = engine.queue
  const merges = new Map(Object.entries(quarantine?.mergesBy ?? {}))
  const tests = Object.entries(quarantine?.tests ?? {}).map(([test, entry]) => {
    const { since, until, ...told } = entry
    return {
      test,
      ...told,
      since: new Date(since).toISOString(),
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
      inForce: isInForce(entry, at),
      merges: merges.get(test) ?? 0,
    }
  })
  return {
    merges: quarantine?.merges ?? 0,
    tests: tests.sort((a, b) => (a.test < b.test ? -1 : 1)),
    proposals: quarantineProposals(engine.queue, at),
  }
}
