/** All properties, in the order of results and reports. */

import { serialOracle } from './serial-oracle.ts'
import { bisectionStaysCheap } from './bisection-stays-cheap.ts'
import { everythingEnds } from './everything-ends.ts'
import { evidenceIsTrue } from './evidence-is-true.ts'
import { flakesAreShown } from './flakes-are-shown.ts'
import { flakyTestsAreNoticed } from './flaky-tests-are-noticed.ts'
import { hostsAreAsked } from './hosts-are-asked.ts'
import { judgedByTruth } from './judged-by-truth.ts'
import { mergesAreSeenThrough } from './merges-are-seen-through.ts'
import { mergesInOrder } from './merges-in-order.ts'
import { nobodyLeavesForTheBranch } from './nobody-leaves-for-the-branch.ts'
import { nobodyLost } from './nobody-lost.ts'
import { oneStateAlongTheTable } from './one-state-along-the-table.ts'
import type { Property } from '../observe/property.ts'
import { quarantineIsKept } from './quarantine-is-kept.ts'
import { stacksStayWhole } from './stacks-stay-whole.ts'
import { trunkStaysGreen } from './trunk-stays-green.ts'

export const properties: readonly Property[] = [
  // The branch: which pull requests merge.
  trunkStaysGreen,
  judgedByTruth,
  evidenceIsTrue,
  serialOracle,
  mergesInOrder,
  mergesAreSeenThrough,
  hostsAreAsked,
  stacksStayWhole,
  // Failures.
  flakesAreShown,
  flakyTestsAreNoticed,
  quarantineIsKept,
  bisectionStaysCheap,
  nobodyLeavesForTheBranch,
  // The queue as a whole.
  oneStateAlongTheTable,
  nobodyLost,
  everythingEnds,
]
