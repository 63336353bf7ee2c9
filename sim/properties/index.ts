/** All properties, in the order of results and reports. */

import { serialOracle } from './serial-oracle.ts'
import { everythingEnds } from './everything-ends.ts'
import { flakesAreShown } from './flakes-are-shown.ts'
import { flakyTestsAreNoticed } from './flaky-tests-are-noticed.ts'
import { judgedByTruth } from './judged-by-truth.ts'
import { mergesAreSeenThrough } from './merges-are-seen-through.ts'
import { oneStateAlongTheTable } from './one-state-along-the-table.ts'
import type { Property } from '../observe/property.ts'
import { quarantineIsKept } from './quarantine-is-kept.ts'
import { stacksStayWhole } from './stacks-stay-whole.ts'
import { trunkStaysGreen } from './trunk-stays-green.ts'

export const properties: readonly Property[] = [
  // The branch: which pull requests merge.
  trunkStaysGreen,
  judgedByTruth,
  serialOracle,
  mergesAreSeenThrough,
  stacksStayWhole,
  // Failures.
  flakesAreShown,
  flakyTestsAreNoticed,
  quarantineIsKept,
  // The queue as a whole.
  oneStateAlongTheTable,
  everythingEnds,
]
