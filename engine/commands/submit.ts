import type { Step } from '../evolve/step.ts'
import { isOtherContent } from '../model/content.ts'
import { isBeingMerged } from '../model/merging.ts'
import { groupWith } from '../model/predecessors.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { PullRequestView, QueueView } from '../model/state.ts'
import type { SubmitPullRequest } from '../protocol/commands.ts'
import { cancel } from '../transitions/depart.ts'
import { isReady } from '../transitions/readiness.ts'
import type { Decide } from './decide.ts'

/** `medium`: the priority value of a submission that sets none. */
export const defaultPriority = 100

/**
 * Submits a pull request. If it is in the queue already, the given options replace the old ones in
 * place, nothing restarts, and a cancel stored during its own merge is withdrawn. With another head
 * commit it leaves, as after a push, and enters as a new submission; rejected while the code host
 * merges it. Rules: E-16, E-20, E-227.
 */
export const submit: Decide<SubmitPullRequest> = (step, command) => {
  const { number, sha } = command
  const known = step.queue.pullRequests[number]
  if (known && !isTerminal(known.state)) {
    if (!isOtherContent(known, sha)) {
      rewrite(step, known, command)
      return null
    }
    if (isBeingMerged(groupWith(step.queue, number), number)) {
      return { code: 'merge under way', number }
    }
    cancel(step, number, 'PR_PUSHED_TO')
  }
  enter(step, command)
  return null
}

function rewrite(
  step: Step,
  known: PullRequestView,
  { number, priority, noBatch }: SubmitPullRequest,
): void {
  step.emit({
    type: 'pullRequestRewritten',
    number,
    priority: priority ?? known.priority,
    priorityAsked: known.priorityAsked || priority !== undefined,
    noBatch: noBatch ?? known.noBatch,
  })
}

/** True if its batch has a run or a verdict, or is bisected: alone, it would make the others restart. */
export function isTestedWithOthers(queue: QueueView, { number, home }: PullRequestView): boolean {
  if (home.in === 'bisection') {
    return queue.bisections.some(({ id, size }) => id === home.bisection && size > 1)
  }
  const group = groupWith(queue, number)
  return group !== undefined && group.members.length > 1 && group.phase.kind !== 'waiting'
}

function enter(step: Step, { number, sha, priority, noBatch }: SubmitPullRequest): void {
  const { queue } = step
  step.emit({
    type: 'pullRequestSubmitted',
    number,
    submission: queue.last.submission + 1,
    ...(sha === undefined ? {} : { sha }),
    state: isReady(queue, number) ? 'PENDING' : 'NOT_READY',
    priority: priority ?? defaultPriority,
    priorityAsked: priority !== undefined,
    noBatch: noBatch ?? false,
  })
}
