/** All test runs in progress at one instant, as JSON in pieces. */

import type { PullRequestNumber, QueueView, TestRunId } from '../../engine/index.ts'
import type { PastRun } from '../history/queue-history.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Pages } from './pull-request-url.ts'
import { surroundingsIn, testRunView, type RunSurroundings } from './test-run.ts'

type RunInProgress = { readonly id: TestRunId; readonly past: PastRun }

/** More pull requests and targets in all runs together than this are shown in pieces. */
const shortLength = 1000

export function runsInProgress({ engine, history }: ManagedQueue): RunInProgress[] {
  return Object.values(engine.queue.testRuns).flatMap(({ id }) => {
    const past = history.testRuns.get(id)
    return past ? [{ id, past: withoutMerged(engine.queue, id, past) }] : []
  })
}

/**
 * A run in progress without the pull requests below it that have merged since it started. A number
 * that merged and was submitted again names another submission, which is not below this run. A-52
 */
export function withoutMerged(queue: QueueView, id: TestRunId, past: PastRun): PastRun {
  const run = queue.testRuns[id]
  if (!run) return past
  const base = past.base.filter((number, index) => {
    const now = queue.pullRequests[number]
    return now?.submission === run.submissions[index] && now?.state !== 'MERGED'
  })
  return { ...past, base }
}

/** True if the runs can be shown in one turn of the event loop. */
export function areShort({ engine }: ManagedQueue, runs: readonly RunInProgress[]): boolean {
  const { impactedTargets } = engine.queue
  let length = 0
  for (const number of pullRequestsIn(runs)) {
    length += 1 + (impactedTargets[number]?.length ?? 0)
    if (length > shortLength) return false
  }
  return true
}

/** Each piece is one run. What a command could change until then is kept at once. */
export function jsonOfRuns(
  queue: ManagedQueue,
  pages: Pages,
  runs: readonly RunInProgress[],
): Generator<string> {
  const { impactedTargets: current } = queue.engine.queue
  const impactedTargets: Record<PullRequestNumber, QueueView['impactedTargets'][number]> = {}
  for (const number of pullRequestsIn(runs)) {
    const targets = current[number]
    if (targets !== undefined) impactedTargets[number] = targets
  }
  return piecesOf({ ...surroundingsIn(queue, pages), impactedTargets }, runs)
}

function* piecesOf(queue: RunSurroundings, runs: readonly RunInProgress[]): Generator<string> {
  let before = '{"testRuns":['
  for (const { id, past } of runs) {
    yield before + JSON.stringify(testRunView(queue, id, past))
    before = ','
  }
  yield ']}'
}

function* pullRequestsIn(runs: readonly RunInProgress[]): Generator<PullRequestNumber> {
  for (const { past } of runs) {
    yield* past.base
    yield* past.tested
  }
}
