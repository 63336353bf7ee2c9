/** Moves of one or several pull requests along the transition table. */

import type { PullRequestState, Reason } from '../model/pull-request-state.ts'
import type { PullRequestNumber, TestRun, TestRunId } from '../model/state.ts'
import type { PullRequestMoved } from '../protocol/events.ts'
import type { Step } from '../evolve/step.ts'

type MoveDetails = Partial<
  Pick<PullRequestMoved, 'testRun' | 'evidence' | 'turn' | 'leftWith' | 'quarantined'>
>

/** Moves one pull request. Throws (in `evolve`) if the table has no row for the move. */
export function move(
  step: Step,
  number: PullRequestNumber,
  to: PullRequestState,
  reason: Reason | null,
  { testRun = null, ...details }: MoveDetails = {},
): void {
  const from = step.queue.pullRequests[number]?.state
  if (from === undefined) throw new Error(`pull request ${number} was never submitted`)
  step.emit({ type: 'pullRequestMoved', number, from, to, reason, testRun, ...details })
}

/** Moves each pull request that is not in that state already. */
export function moveAll(
  step: Step,
  numbers: readonly PullRequestNumber[],
  to: PullRequestState,
  reason: Reason | null,
  testRun: TestRunId | null = null,
): void {
  for (const number of [...numbers]) {
    if (step.queue.pullRequests[number]?.state !== to) move(step, number, to, reason, { testRun })
  }
}

/** Moves each that has not passed already, because of a run that passed. */
export function passAll(
  step: Step,
  numbers: readonly PullRequestNumber[],
  reason: 'TEST_RUN_PASSED',
  run: TestRun,
): void {
  for (const number of [...numbers]) {
    if (step.queue.pullRequests[number]?.state === 'TESTS_PASSED') continue
    move(step, number, 'TESTS_PASSED', reason, passedBy(run))
  }
}

/** What a move says of the run that passed. Rule: E-272. */
export const passedBy = ({ id, quarantined }: TestRun): MoveDetails => ({
  testRun: id,
  ...(quarantined ? { quarantined } : {}),
})
