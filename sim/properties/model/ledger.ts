/**
 * The books of one run: the branch, the line, what bisections know, the runs, who waits, and how
 * the queue is set. Everything in them comes from events alone.
 */

import type { Configuration, EventOf } from '../../../engine/index.ts'
import type { Branch, Truth } from '../../world/truth.ts'
import { bisections, type Bisections } from './bisections.ts'
import type { Book } from './book.ts'
import { crossings, type Crossings } from './crossings.ts'
import { disturbances, type Disturbances } from './disturbances.ts'
import { history, type History } from './history.ts'
import { line, type Line } from './line.ts'
import { oldestTip } from './oldest-tip.ts'
import { firstPredecessorOf } from './predecessors.ts'
import { queueSettings, type QueueSettings } from './queue-settings.ts'
import { targets, type Targets } from './targets.ts'
import { targetBranch, type TargetBranch } from './target-branch.ts'
import { testRuns, type TestRuns } from './test-runs.ts'
import { waitingRoom, type WaitingRoom } from './waiting-room.ts'

export type Ledger = {
  readonly settings: QueueSettings
  readonly room: WaitingRoom
  readonly targets: Targets
  readonly branch: TargetBranch
  /** The truth about the branch as it is. */
  readonly truly: Branch
  readonly line: Line
  readonly disturbed: Disturbances
  /** Whether the targets say who matters to whom. */
  readonly crossings: Crossings
  readonly history: History
  readonly bisections: Bisections
  readonly runs: TestRuns
  /** All of them: whoever reads another book as it was before an event is told before it. */
  readonly inOrder: readonly Book[]
}

/** How many commits may pile up before it is looked which are of no use any more. */
const commitsBetweenLooks = 64

/** Empty books, for a run that is about to begin. */
export function ledger(configuration: Configuration, truth: Truth): Ledger {
  const settings = queueSettings(configuration)
  const room = waitingRoom()
  const theBranch = targetBranch()
  const truly = truth.emptyBranch()
  const theTargets = targets(settings)
  const theLine = line(theTargets)
  const disturbed = disturbances(theLine)
  const theCrossings = crossings(truth, theLine, settings)
  const theBisections = bisections(theLine, theBranch)
  const theHistory = history()
  const runs = testRuns({
    bisections: theBisections,
    branch: theBranch,
    line: theLine,
    targets: theTargets,
    settings,
  })
  const books: Ledger = {
    settings,
    room,
    targets: theTargets,
    branch: theBranch,
    truly,
    line: theLine,
    disturbed,
    crossings: theCrossings,
    history: theHistory,
    bisections: theBisections,
    runs,
    inOrder: [
      settings,
      { on: { tipMoved: (event) => land(event) } },
      room,
      theTargets,
      disturbed,
      theBisections,
      runs,
      theLine,
      theCrossings,
      theBranch,
    ],
  }
  const land = ({ number, tip }: EventOf<'tipMoved'>): void => {
    const content = number === null ? -tip : theBranch.contentOf(number)
    const group = number === null ? undefined : theLine.groupOf(number)
    const isNext = group?.members[0] === number && group.stand !== 'conflicted'
    const isInTurn = isNext && !firstPredecessorOf(theLine.groups, group)
    // Merged by hand out of its turn it is a push like any other.
    theHistory.land({ content, touched: isInTurn ? group.touched : 'ALL' })
    if (number !== null) truly.add(number)
    if (theHistory.size % commitsBetweenLooks === 0) theHistory.forget(oldestTip(books))
  }
  return books
}
