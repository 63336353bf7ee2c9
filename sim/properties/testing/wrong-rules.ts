/** Rules that act wrongly. */

import type { Rule } from '../../../engine/index.ts'

/** A failure counts at once, although predecessors have not merged. */
export const failAtOnce: Rule = (step) => {
  for (const id of step.queue.line) {
    const group = step.queue.groups[id]
    const [number, ...others] = group?.members ?? []
    if (group?.phase.kind !== 'failed' || number === undefined || others.length > 0) continue
    const { run, reason, failedTests } = group.phase
    step.emit({
      type: 'pullRequestMoved',
      number,
      from: 'PENDING_FAILURE',
      to: 'FAILED',
      reason,
      testRun: run.id,
      evidence: { failedIn: run.id, passedWithout: null, failedTests },
    })
    step.emit({ type: 'groupLeft', group: id })
    return true
  }
  return false
}

/** A pull request with a text conflict is FAILED at once, although the other one has not merged. */
export const failConflictsAtOnce: Rule = (step) => {
  const id = step.queue.line.find((each) => step.queue.groups[each]?.phase.kind === 'conflicted')
  const number = id === undefined ? undefined : step.queue.groups[id]?.members[0]
  if (id === undefined || number === undefined) return false
  step.emit({
    type: 'pullRequestMoved',
    number,
    from: 'PENDING_FAILURE',
    to: 'FAILED',
    reason: 'START_TEST_RUN_MERGE_CONFLICT',
    testRun: null,
    evidence: { failedIn: null, passedWithout: null, failedTests: [] },
  })
  step.emit({ type: 'groupLeft', group: id })
  return true
}

/** The last group that passed merges first. */
export const mergeTheLastThatPassed: Rule = (step) => {
  const id = step.queue.line.findLast((each) => step.queue.groups[each]?.phase.kind === 'passed')
  const group = id === undefined ? undefined : step.queue.groups[id]
  const number = group?.members[0]
  if (group?.phase.kind !== 'passed' || number === undefined) return false
  const tip = step.queue.tip.number + 1
  const { composition } = step.queue.tip
  step.emit({ type: 'tipMoved', tip, number, composition })
  step.emit({
    type: 'pullRequestMoved',
    number,
    from: 'TESTS_PASSED',
    to: 'MERGED',
    reason: 'MERGE_GRAPH_MERGE',
    testRun: group.phase.run?.id ?? null,
  })
  if (group.members.length === 0) step.emit({ type: 'groupLeft', group: group.id })
  return true
}

/** Each group is formed of the last pull request alone. */
export const formOfTheLast: Rule = (step) => {
  const { queue } = step
  const isFree = queue.slots.main < queue.configuration.concurrency
  const number = Object.values(queue.pullRequests).findLast(
    ({ home, state }) => home.in === 'order' && state === 'PENDING',
  )?.number
  if (!isFree || number === undefined) return false
  const group = queue.last.group + 1
  const index = queue.line.length
  const members = [number]
  step.emit({ type: 'groupPlaced', group, members, index, cause: 'formed', bisection: null })
  return true
}
