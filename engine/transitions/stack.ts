/**
 * A stack in the queue: what lies below is as urgent as what lies on top, and what lies on top impacts the
 * targets of what lies below.
 *
 * Rules: E-263, E-267.
 */

import { followUpload } from '../line/restart.ts'
import { groupWith } from '../model/predecessors.ts'
import { dependentsOf, missingOf } from '../model/stack.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'
import { isWider, unionOf, type ImpactedTargets } from '../model/targets.ts'
import type { Step } from '../evolve/step.ts'

/** Raises those that wait below a pull request to its priority, if theirs is lower. Rule: E-263. */
export function raiseBelow(step: Step, number: PullRequestNumber): void {
  const { queue } = step
  const open = [number]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const priority = queue.pullRequests[next]?.priority ?? Infinity
    for (const other of missingOf(queue, next)) {
      const below = queue.pullRequests[other]
      if (below?.home.in !== 'order' || below.priority <= priority) continue
      const { priorityAsked, noBatch } = below
      step.emit({ type: 'pullRequestRewritten', number: other, priority, priorityAsked, noBatch })
      open.push(other)
    }
  }
}

/** These targets and those of what the pull request depends on. Rule: E-267. */
export function withTargetsBelow(
  queue: QueueView,
  number: PullRequestNumber,
  targets: ImpactedTargets,
): ImpactedTargets {
  return missingOf(queue, number).reduce<ImpactedTargets>((union, below) => {
    const others = queue.impactedTargets[below] ?? []
    return isWider(others, union) ? unionOf(union, others) : union
  }, targets)
}

/** After an upload or a submission: gives the targets to those that depend on the pull request. Rule: E-267. */
export function widenDependents(step: Step, number: PullRequestNumber): void {
  const { queue } = step
  const open = [...dependentsOf(queue, number)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const own = queue.impactedTargets[next]
    if (own === undefined) continue
    const targets = withTargetsBelow(queue, next, own)
    if (targets === own) continue
    setTargets(step, next, targets)
    open.push(...dependentsOf(queue, next))
  }
}

/** Stores targets; a group in the line that impacts more than before follows. Rule: E-143. */
export function setTargets(step: Step, number: PullRequestNumber, targets: ImpactedTargets): void {
  const group = groupWith(step.queue, number)
  const before = group?.targets ?? 'ALL'
  step.emit({ type: 'impactedTargetsSet', number, targets })
  if (group) followUpload(step, group, before)
}
