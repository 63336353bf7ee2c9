import { matters } from '../bisection/knowledge.ts'
import type { Step } from '../evolve/step.ts'
import { restartGroup } from '../line/restart.ts'
import { isBeingMerged } from '../model/merging.ts'
import { groupWith, holds } from '../model/predecessors.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { PullRequestNumber, QueueView, TestRun } from '../model/state.ts'
import type { ReportUnbuildable } from '../protocol/commands.ts'
import type { Rejection } from '../protocol/rejections.ts'
import { setApart } from '../transitions/conflict.ts'
import { fail, noEvidence } from '../transitions/depart.ts'
import type { Decide } from './decide.ts'

/**
 * The composition of the run does not exist, so the run ends without a verdict, and with it every run
 * that holds the same pull request. What is tested next is another composition, so the same report does
 * not come again by itself. What was found is not kept: a later submission has other content.
 *
 * Rules: E-215 to E-218.
 */
export const reportUnbuildable: Decide<ReportUnbuildable> = (step, command) => {
  const { testRun, number, conflictsWith } = command
  const { queue } = step
  const run = queue.testRuns[testRun]
  if (!run) return { code: 'test run is over' }
  const contradiction = contradictionIn(run, number, conflictsWith)
  if (contradiction) return contradiction
  if (!isAwaited(queue, run)) {
    step.emit({ type: 'testRunCancelled', testRun, cause: 'PREREQUISITE_MERGE_ITEM_FAILED' })
    return null
  }
  const pullRequest = queue.pullRequests[number]
  const isHeld = pullRequest !== undefined && !isTerminal(pullRequest.state)
  if (!isHeld || !holds(queue, run, number)) return { code: 'not in queue', number }
  if (isBeingMerged(groupWith(queue, number), number)) return { code: 'merge under way', number }
  const isFinal = run.owner.kind === 'bisection' || isOnBranch(queue, conflictsWith)
  separate(step, number, isFinal ? 'tip' : conflictsWith)
  return null
}

/** The run must hold both, the one that conflicts on top of the other. */
function contradictionIn(
  { base, tested }: TestRun,
  number: PullRequestNumber,
  conflictsWith: PullRequestNumber | 'tip',
): Rejection | null {
  const contents = [...base, ...tested]
  const at = contents.indexOf(number)
  if (at === -1) return { code: 'not in the test run', number }
  if (conflictsWith === 'tip') return null
  const below = contents.indexOf(conflictsWith)
  const isBelow = below !== -1 && below < at
  return isBelow ? null : { code: 'not in the test run', number: conflictsWith }
}

/** A bisection run that cannot change what is known any more only ends (E-85). */
function isAwaited({ bisections }: QueueView, run: TestRun): boolean {
  const { owner } = run
  if (owner.kind !== 'bisection') return true
  const bisection = bisections.find(({ id }) => id === owner.bisection)
  return bisection !== undefined && matters(bisection, run)
}

/** Since the run began, the other one may have merged. */
function isOnBranch({ pullRequests }: QueueView, other: PullRequestNumber | 'tip'): boolean {
  return other === 'tip' || pullRequests[other]?.state === 'MERGED'
}

/** Its group is not tested with it again, and nobody is tested on top of it. */
function separate(step: Step, number: PullRequestNumber, from: PullRequestNumber | 'tip'): void {
  const group = groupWith(step.queue, number)
  if (!group) {
    fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', noEvidence)
    return
  }
  restartGroup(step, group, 'PREREQUISITE_MERGE_ITEM_FAILED')
  // It may be in another group by now, behind a member that is being merged.
  const own = groupWith(step.queue, number)
  if (own) setApart(step, own, number, from)
}
