/**
 * The ledger of one run. The queue in it is that of the engine, made anew from the events: that it is
 * the right one, the model checks. The rest is what the engine does not know: the truth about the
 * branch, and where it cannot be expected to be green.
 */

import {
  engineParts,
  type Event,
  type EventOf,
  type Queue,
  type QueueView,
  type TestRun,
  type TestRunId,
} from '../../engine/index.ts'
import { messageOf } from '../../server/terminal/text.ts'
import type { EventHandler, Handlers, Point } from '../steps/handlers.ts'
import type { Branch, Truth } from '../world/truth.ts'
import { brokenBases, type BrokenBases, disturbances, type Disturbances } from './broken-bases.ts'
import { laneClashes, type LaneClashes } from './lane-clashes.ts'
import { quarantineChanges, type QuarantineChanges } from './quarantine.ts'

export type Ledger = {
  /** The queue by the events so far. */
  readonly queue: QueueView
  /** Why an event does not fit the queue as it was before; null as long as each one fits. */
  readonly contradiction: string | null
  /** A run that is under way, or one of the last 10,000. */
  run(id: TestRunId | null | undefined): RunRecord | undefined
  /** The submission that each commit of the target branch brought; null for a push. */
  readonly commits: readonly (number | null)[]
  /** The truth about the target branch: whether its tests would fail, now or at an earlier tip. */
  readonly trueBranch: Branch
  /** Runs on a branch or base that was broken before. */
  readonly brokenBases: BrokenBases
  /** Groups whose base changed from outside while they were merging. */
  readonly disturbed: Disturbances
  /** Whether pull requests that affect each other declared no target in common. */
  readonly laneClashes: LaneClashes
  /** When the quarantine has changed, and who leans on it. */
  readonly quarantine: QuarantineChanges
}

type RunRecord = {
  readonly run: TestRun
  /** Null while it is under way. */
  outcome: EventOf<'testRunFinished'>['outcome'] | 'cancelled' | null
  /** Whether it failed only because of a flake. */
  isFlake: boolean
}

type Beginning = {
  /** A copy of the queue before the first command. */
  readonly beginning: () => Queue
  readonly truth: Truth
  readonly isFlake: (testRun: TestRunId) => boolean
}

/**
 * Returns the ledger of a new run, and the handlers that keep it. They are called after all others, so
 * that these see it as it was before the event.
 */
export function newLedger({ beginning, truth, isFlake }: Beginning): {
  readonly ledger: Ledger
  readonly handlers: readonly Handlers[]
} {
  const queue = beginning()
  const trueBranch = truth.emptyBranch()
  const commits: (number | null)[] = []
  const runs = testRuns(isFlake)
  const disturbed = disturbances(queue)
  const quarantine = quarantineChanges(queue)
  const bases = brokenBases(queue, trueBranch, quarantine)
  const clashes = laneClashes(truth, queue)
  let contradiction: string | null = null
  const evolve: EventHandler<Event> = (event) => {
    try {
      engineParts.evolve(queue, event)
    } catch (error) {
      contradiction ??= `${event.type}: ${messageOf(error)}`
    }
  }
  const ledger: Ledger = {
    queue,
    get contradiction() {
      return contradiction
    },
    run: (id) => runs.find(id ?? 0),
    commits,
    trueBranch,
    brokenBases: bases,
    disturbed,
    laneClashes: clashes,
    quarantine,
  }
  const passTo = ({ at }: Point): void => {
    queue.now = at
  }
  const land = ({ number }: EventOf<'tipMoved'>): void => {
    commits.push(number === null ? null : (queue.pullRequests[number]?.submission ?? null))
    if (number === null) trueBranch.addForeign()
    else trueBranch.add(number)
  }
  const handlers: readonly Handlers[] = [
    { atCommand: passTo, on: { tipMoved: land }, atEach: evolve },
    ...[bases, disturbed, quarantine, runs],
    // It reads the queue as it is after the event.
    clashes,
  ]
  return { ledger, handlers }
}

/** More than the queue may refer to. */
const runsKept = 10_000

function testRuns(isFlake: (testRun: TestRunId) => boolean) {
  const runs = new Map<TestRunId, RunRecord>()
  /** One iterator for the whole run: a new one would have to skip all deleted entries. */
  const oldestFirst = runs.keys()
  const end = (id: TestRunId, outcome: RunRecord['outcome']): void => {
    const record = runs.get(id)
    if (!record) return
    record.outcome = outcome
    record.isFlake = outcome === 'failed' && isFlake(id)
  }
  return {
    find: (id: TestRunId): RunRecord | undefined => runs.get(id),
    on: {
      testRunStarted({ run }) {
        runs.set(run.id, { run, outcome: null, isFlake: false })
        if (runs.size > runsKept) runs.delete(oldestFirst.next().value ?? 0)
      },
      testRunFinished: ({ testRun, outcome }) => end(testRun, outcome),
      testRunCancelled: ({ testRun }) => end(testRun, 'cancelled'),
    },
  } satisfies Handlers & { find: unknown }
}
