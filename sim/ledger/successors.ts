/**
 * The successors of a failed group: who has given a verdict on top of it, and who still can.
 *
 * Rules: E-56, E-57, E-131, E-132.
 */

import type { Millis, PullRequestNumber, TestRunId } from '../../engine/index.ts'
import type { Projections } from './ledger.ts'
import type { LineGroup } from './line-group.ts'
import { groupsOnTopOf } from './predecessors.ts'
import { wouldStart } from './would-start.ts'

/** Returns how many groups behind have given a verdict on top of this one. */
export function verdictsOn(ledger: Projections, group: LineGroup): number {
  const { groups } = ledger.line
  return groups
    .slice(groups.indexOf(group) + 1)
    .filter(({ status }) => status === 'passed' || status === 'failed' || status === 'aside')
    .filter((behind) => isTestedOn(ledger, behind, group)).length
}

/** Returns the runs in progress on top of the group. */
export function runsOn(ledger: Projections, group: LineGroup): TestRunId[] {
  const { groups } = ledger.line
  return groups
    .slice(groups.indexOf(group) + 1)
    .filter((behind) => behind.status === 'testing' && isTestedOn(ledger, behind, group))
    .flatMap(({ run }) => run?.id ?? [])
}

/** Returns the pull requests of groups behind that wait for a run on top of the group. */
export function waitingOn({ line }: Projections, group: LineGroup): PullRequestNumber[] {
  const isToBeTested = ({ status, run }: LineGroup): boolean =>
    status === 'waiting' || (status === 'testing' && run?.screening === true)
  if (!line.groups.some(isToBeTested)) return []
  return groupsOnTopOf(line.groups, group)
    .filter(isToBeTested)
    .flatMap(({ members }) => members)
}

/** Whether pull requests that have not entered the line would start on top of the group. */
export function wouldStartOn(ledger: Projections, group: LineGroup, at: Millis): boolean {
  const onTop = groupsOnTopOf(ledger.line.groups, group)
  const touched = [group, ...onTop].map((each) => each.touched)
  return wouldStart(ledger, touched, at)
}

/** Whether the run of the group behind is its own and contains the other one. */
function isTestedOn(
  { branch, runs }: Projections,
  { id, run }: LineGroup,
  { members }: LineGroup,
): boolean {
  if (run?.owner.kind !== 'main' || run.owner.group !== id) return false
  const [first = 0] = members
  const contents = runs.find(run.id)?.contents
  return contents ? contents.includes(branch.contentOf(first)) : run.base.includes(first)
}
