/** The runs that show why a pull request is where it is. */

import type { PullRequestView, QueueView, TestRunId } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { stepsOf } from '../history/timeline.ts'
import { testRunId } from '../identity/ids.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { failureOf } from './pull-request.ts'

/** The run that failed, and the one that passed without it or goes on; else the one in progress or the last one. */
export function tellingRuns(queue: ManagedQueue, pullRequest: PullRequestView): TestRunId[] {
  const state = queue.engine.queue
  const now = inProgress(state, pullRequest)
  const bisected = lastFailureOf(state, pullRequest)
  const { failedIn, passedWithout } = failureOf(state, pullRequest).evidence ?? {}
  const pair = bisected === null ? [failedIn, passedWithout] : [bisected, now]
  const known = pair.flatMap((run) => run ?? [])
  return known.length > 0 ? known : [now ?? lastRunOf(queue, pullRequest) ?? []].flat()
}

/** The last run with it of those that its bisection has seen fail; null: there is none, or it is proven. */
function lastFailureOf(
  { bisections }: QueueView,
  { home, number }: PullRequestView,
): TestRunId | null {
  const its =
    home.in === 'bisection' ? bisections.find(({ id }) => id === home.bisection) : undefined
  if (its?.open.includes(number) !== true) return null
  const failed = Object.values(its.verdicts).filter(
    ({ outcome, run }) => outcome === 'failed' && run.tested.includes(number),
  )
  return failed.length === 0 ? null : Math.max(...failed.map(({ run }) => run.id))
}

function inProgress(queue: QueueView, { number }: PullRequestView): TestRunId | null {
  return Object.values(queue.testRuns).find(({ tested }) => tested.includes(number))?.id ?? null
}

/** The last run of this submission that decided something about it. */
function lastRunOf({ history }: ManagedQueue, { number }: PullRequestView): TestRunId | null {
  const steps = stepsOf(history.pullRequests.get(number)?.timeline ?? [])
  const begin = steps.findLastIndex(({ reason }) => reason === 'API_REQUESTED')
  return (
    steps.slice(Math.max(0, begin)).findLast(({ testRun }) => testRun !== null)?.testRun ?? null
  )
}

export function runInWhy({ ids, history }: ManagedQueue, run: TestRunId): wire.RunInWhy | null {
  const past = history.testRuns.get(run)
  if (!past) return null
  const { tested, base, outcome, url } = past
  return {
    testRunId: testRunId(ids, run),
    number: run,
    outcome,
    tested: [...tested],
    base: [...base],
    ...(url === '' ? {} : { url }),
  }
}
