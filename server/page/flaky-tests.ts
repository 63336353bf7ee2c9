/** The flaky tests of a queue's repository, those that flake most first. */

import type { TestCases } from '../history/test-cases.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { FlakyTestRow } from './frame.ts'

const mostTests = 20

export function flakyTests({ ref }: ManagedQueue, testCases: TestCases): FlakyTestRow[] {
  const rows: FlakyTestRow[] = []
  for (const { name, file, flakes, ticket } of testCases.of(ref)) {
    if (flakes > 0) rows.push({ name, file, flakes, ticket: ticket?.id ?? null })
  }
  return rows.sort((a, b) => b.flakes - a.flakes).slice(0, mostTests)
}
