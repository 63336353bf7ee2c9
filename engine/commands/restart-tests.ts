import { matters } from '../bisection/knowledge.ts'
import { hasBegunToMerge, holds } from '../model/predecessors.ts'
import { restartGroup } from '../line/restart.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { PullRequestView } from '../model/state.ts'
import type { RestartTests } from '../protocol/commands.ts'
import type { Rejection } from '../protocol/rejections.ts'
import type { Step } from '../evolve/step.ts'
import type { Decide } from './decide.ts'

/**
 * Runs the tests of the pull request's group again, in place. No other group restarts, because no
 * other composition changes. A hold ends. In a bisection the runs in progress that contain the pull
 * request are repeated, and known results are kept.
 */
export const restartTests: Decide<RestartTests> = (step, { number }) => {
  const pullRequest = step.queue.pullRequests[number]
  if (!pullRequest || isTerminal(pullRequest.state)) return { code: 'not in queue', number }
  const { home } = pullRequest
  if (home.in === 'bisection') return repeatRuns(step, pullRequest, home.bisection)
  const group = home.in === 'group' ? step.queue.groups[home.group] : undefined
  if (!group || group.phase.kind === 'waiting' || group.phase.kind === 'conflicted') {
    return nothingToRestart(pullRequest)
  }
  if (hasBegunToMerge(group)) return { code: 'merge under way', number }
  restartGroup(step, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  return null
}

/**
 * A request for an open member is always accepted: without a run in progress, the next run of the
 * member is still to come. A member that is proven has nothing to restart. Rule: E-84.
 */
function repeatRuns(step: Step, pullRequest: PullRequestView, id: number): Rejection | null {
  const { number, state } = pullRequest
  const bisection = step.queue.bisections.find((each) => each.id === id)
  if (!bisection?.open.includes(number)) return nothingToRestart(pullRequest)
  step.emit({ type: 'restartRequested', bisection: id, number, state })
  const runs = bisection.underWay
    .flatMap((runId) => step.queue.testRuns[runId] ?? [])
    .filter((run) => holds(step.queue, run, number) && matters(bisection, run))
  for (const run of runs) {
    const cause = 'TESTS_RESTARTED_BY_API_REQUEST'
    step.emit({ type: 'testRunCancelled', testRun: run.id, cause })
    const retry = { of: run, notBefore: step.at, attempt: 0 }
    step.emit({ type: 'bisectionRetryPlanned', bisection: id, retry })
  }
  return null
}

function nothingToRestart({ number, state }: PullRequestView): Rejection {
  return { code: 'nothing to restart', number, state }
}
