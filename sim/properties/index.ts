/** All properties, in the order of results and reports. */

import { serialOracle } from './serial-oracle.ts'
import { aMovedBranchFailsNobody } from './a-moved-branch-fails-nobody.ts'
import { batchesWellFormed } from './batches-well-formed.ts'
import { bisectionNeverRepeats } from './bisection-never-repeats.ts'
import { bisectionStaysCheap } from './bisection-stays-cheap.ts'
import { clearsWhatItContains } from './clears-what-it-contains.ts'
import { conflictsStayApart } from './conflicts-stay-apart.ts'
import { directMergesAreGreen } from './direct-merges-are-green.ts'
import { drainingStartsNothingNew } from './draining-starts-nothing-new.ts'
import { everythingEnds } from './everything-ends.ts'
import { evidenceIsTrue } from './evidence-is-true.ts'
import { failuresStepAside } from './failures-step-aside.ts'
import { flakesAreShown } from './flakes-are-shown.ts'
import { flakyTestsAreNoticed } from './flaky-tests-are-noticed.ts'
import { holdRespected } from './hold-respected.ts'
import { hostsAreAsked } from './hosts-are-asked.ts'
import { judgedByTruth } from './judged-by-truth.ts'
import { lostRunsGetThreeTries } from './lost-runs-get-three-tries.ts'
import { mergesAreSeenThrough } from './merges-are-seen-through.ts'
import { mergesInOrder } from './merges-in-order.ts'
import { noNeedlessRestart } from './no-needless-restart.ts'
import { nobodyLost } from './nobody-lost.ts'
import { nobodyWaitsWithASlotFree } from './nobody-waits-with-a-slot-free.ts'
import { numbersHaveNoGap } from './numbers-have-no-gap.ts'
import { oneStateAlongTheTable } from './one-state-along-the-table.ts'
import { onlyTheReadyStart } from './only-the-ready-start.ts'
import { pausedMeansPaused } from './paused-means-paused.ts'
import { projectedBase } from './projected-base.ts'
import { oddsConvict } from './odds-convict.ts'
import type { Property } from '../observe/property.ts'
import { screensInDoubt } from './screens-in-doubt.ts'
import { secondLooksCostNobody } from './second-looks-cost-nobody.ts'
import { slotsRespected } from './slots-respected.ts'
import { startsInOrder } from './starts-in-order.ts'
import { survivorsMergeAtOnce } from './survivors-merge-at-once.ts'
import { timeoutsOnTime } from './timeouts-on-time.ts'
import { trunkStaysGreen } from './trunk-stays-green.ts'
import { unbuildableEnds } from './unbuildable-ends.ts'
import { verdictsStayFresh } from './verdicts-stay-fresh.ts'
import { wakeIsArmed } from './wake-is-armed.ts'

export const properties: readonly Property[] = [
  // The branch: which pull requests merge.
  trunkStaysGreen,
  judgedByTruth,
  evidenceIsTrue,
  serialOracle,
  mergesInOrder,
  mergesAreSeenThrough,
  aMovedBranchFailsNobody,
  hostsAreAsked,
  directMergesAreGreen,
  survivorsMergeAtOnce,
  clearsWhatItContains,
  verdictsStayFresh,
  // Tests: what runs test, and when they start.
  projectedBase,
  conflictsStayApart,
  unbuildableEnds,
  slotsRespected,
  startsInOrder,
  onlyTheReadyStart,
  batchesWellFormed,
  nobodyWaitsWithASlotFree,
  screensInDoubt,
  noNeedlessRestart,
  lostRunsGetThreeTries,
  timeoutsOnTime,
  // Failures.
  holdRespected,
  failuresStepAside,
  flakesAreShown,
  flakyTestsAreNoticed,
  bisectionNeverRepeats,
  bisectionStaysCheap,
  oddsConvict,
  secondLooksCostNobody,
  // The queue as a whole.
  oneStateAlongTheTable,
  pausedMeansPaused,
  drainingStartsNothingNew,
  nobodyLost,
  numbersHaveNoGap,
  wakeIsArmed,
  everythingEnds,
]
