/** What the durable state of a queue wants to be true outside: its runs, and its merge. */

import {
  beingMerged,
  type GroupId,
  type PullRequestNumber,
  type QueueView,
  type TestRun,
  failureOfTip,
} from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'

export type WantedMerge = {
  readonly group: GroupId
  /** They land in one push, in this order. */
  readonly numbers: readonly PullRequestNumber[]
}

export type Wanted = {
  readonly runs: readonly TestRun[]
  /** In the order of the line. Each one needs the commit that the one before it made. */
  readonly merges: readonly WantedMerge[]
}

/** Level-triggered: whatever was missed by a crash or an error is wanted still. */
export function wantedOf(queue: QueueView): Wanted {
  const merges = queue.line.flatMap((id) => {
    const group = queue.groups[id]
    const numbers = group ? beingMerged(group) : []
    return numbers.length > 0 ? [{ group: id, numbers }] : []
  })
  return { runs: Object.values(queue.testRuns), merges }
}

// The words for a queue that has stopped because its target branch fails by itself (E-232).

const mostTests = 3

const reasons = {
  TEST_RUN_REQUIRED_STATUS_FAILED: 'its tests fail',
  TEST_RUN_TIMEOUT: 'its tests take longer than testingTimeoutMinutes, or nobody has reported them',
  START_TEST_RUN_RETRY_EXHAUSTED: 'its test runs are lost',
} as const

/** A new queue knows of no better day: then the one who pushed last is the least suspect. */
const neverPassed = '; nothing has passed in this queue yet, so the tests may be set up wrongly'

const hasPassed = ({ judged, verdicts }: QueueView): boolean =>
  judged.count > judged.failed || verdicts.some(({ outcome }) => outcome === 'passed')

/** Null if it has not stopped. */
export function wordsOfStop({ ref, engine, history, tipAuthors }: ManagedQueue): string | null {
  const failure = failureOfTip(engine.queue)
  if (!failure) return null
  const { from, failedTests, reason } = failure
  const commit = history.tips.get(from)?.slice(0, 12)
  const author = tipAuthors.get(from) ?? ''
  const by = author === '' ? '' : ` by ${author}`
  const since = commit === undefined ? '' : ` since ${commit}${by}`
  const names = failedTests.slice(0, mostTests).map(({ name }) => name)
  const others = failedTests.length - names.length
  const tests = others > 0 ? [...names, `${others} more`] : names
  const what = tests.length > 0 ? tests.join(', ') : reasons[reason]
  const doubt = hasPassed(engine.queue) ? '' : neverPassed
  return `${ref.targetBranch} fails by itself${since}: ${what}${doubt}; nobody leaves for it, and the queue goes on by itself when ${ref.targetBranch} passes; a pull request that mends it can be submitted as urgent`
}
