import type { Step } from '../evolve/step.ts'
import { isOtherContent } from '../model/content.ts'
import { isBeingMerged } from '../model/merging.ts'
import { groupWith } from '../model/predecessors.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import { cycleThrough, priorityWithDependents } from '../model/stack.ts'
import type { PullRequestView, QueueView } from '../model/state.ts'
import type { SubmitPullRequest } from '../protocol/commands.ts'
import { cancel } from '../transitions/depart.ts'
import { isReady, reviewDependents } from '../transitions/readiness.ts'
import { raiseBelow, setTargets, widenDependents, withTargetsBelow } from '../transitions/stack.ts'
import type { Decide } from './decide.ts'

/** `medium`: the priority value of a submission that sets none. */
export const defaultPriority = 100

/**
 * Submits a pull request. If it is in the queue already, the given options replace the old ones in
 * place, nothing restarts, and a cancel stored during its own merge is withdrawn. With another head
 * commit it leaves, as after a push, and enters as a new submission, and so it does if it depends on others;
 * rejected while the code host merges it. Rules: E-16, E-20, E-227, E-260.
 */
export const submit: Decide<SubmitPullRequest> = (step, command) => {
  const { number, sha, dependsOn = [] } = command
  const through = cycleThrough(step.queue, number, dependsOn)
  if (through) return { code: 'depends on itself', number, through }
  const known = step.queue.pullRequests[number]
  if (known && !isTerminal(known.state)) {
    const isOther = isOtherContent(known, sha)
    if (!isOther && !hasOtherDependencies(known, command)) {
      rewrite(step, known, command)
      return null
    }
    if (isBeingMerged(groupWith(step.queue, number), number)) {
      return { code: 'merge under way', number }
    }
    cancel(step, number, isOther ? 'PR_PUSHED_TO' : 'USER_REQUESTED')
  }
  enter(step, command)
  return null
}

function hasOtherDependencies(
  { dependsOn: before = [] }: PullRequestView,
  { dependsOn = before }: SubmitPullRequest,
): boolean {
  return (
    dependsOn.some((number) => !before.includes(number)) ||
    !before.every((number) => dependsOn.includes(number))
  )
}

function rewrite(
  step: Step,
  known: PullRequestView,
  { number, priority, noBatch }: SubmitPullRequest,
): void {
  step.emit({
    type: 'pullRequestRewritten',
    number,
    priority: priorityWithDependents(step.queue, number, priority ?? known.priority),
    priorityAsked: known.priorityAsked || priority !== undefined,
    noBatch: noBatch ?? known.noBatch,
  })
  raiseBelow(step, number)
}

/** True if its batch has a run or a verdict, or is bisected: alone, it would make the others restart. */
export function isTestedWithOthers(queue: QueueView, { number, home }: PullRequestView): boolean {
  if (home.in === 'bisection') {
    return queue.bisections.some(({ id, size }) => id === home.bisection && size > 1)
  }
  const group = groupWith(queue, number)
  return group !== undefined && group.members.length > 1 && group.phase.kind !== 'waiting'
}

function enter(
  step: Step,
  { number, sha, priority, noBatch, dependsOn = [] }: SubmitPullRequest,
): void {
  const { queue } = step
  const each = [...new Set(dependsOn)]
  step.emit({
    type: 'pullRequestSubmitted',
    number,
    submission: queue.last.submission + 1,
    ...(sha === undefined ? {} : { sha }),
    state: isReady(queue, number, each) ? 'PENDING' : 'NOT_READY',
    priority: priorityWithDependents(queue, number, priority ?? defaultPriority),
    priorityAsked: priority !== undefined,
    noBatch: noBatch ?? false,
    ...(each.length > 0 ? { dependsOn: each } : {}),
  })
  raiseBelow(step, number)
  const own = queue.impactedTargets[number]
  if (own !== undefined && each.length > 0) {
    const targets = withTargetsBelow(queue, number, own)
    if (targets !== own) setTargets(step, number, targets)
  }
  widenDependents(step, number)
  reviewDependents(step, number)
}
