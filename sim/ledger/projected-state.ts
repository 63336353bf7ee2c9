import type { Content } from './composition.ts'
import { isSameOrder, remainingOf } from './history.ts'
import type { Projections } from './ledger.ts'
import { isLeftOut, type LineGroup } from './line-group.ts'
import { numbersBelow } from './predecessors.ts'
import { isSame } from './same.ts'
import { shareTarget } from './targets.ts'
import type { RunRecord } from './test-runs.ts'

/** What a run of the group would add to the branch, if it started now. */
function projectionOf({ line, branch }: Projections, group: LineGroup): Content[] {
  return branch.contentsOf([...numbersBelow(line.groups, group), ...group.members])
}

/**
 * Whether the contents of the run are still the projected state of the group. For the group's own
 * run all contents count; for a successor's run that cleared the group, those up to the group.
 * Contents beyond the projected state were in its base when the run started: they must still be in
 * the line and share no target.
 */
export function isStillProjected(
  ledger: Projections,
  group: LineGroup,
  record: RunRecord,
): boolean {
  const remaining = remainingOf(record, ledger.history)
  return (
    remaining !== null && isMadeOf(ledger, group, record, remaining, projectionOf(ledger, group))
  )
}

function isMadeOf(
  ledger: Projections,
  group: LineGroup,
  record: RunRecord,
  remaining: readonly Content[],
  projected: readonly Content[],
): boolean {
  if (isSame(remaining, projected)) return true
  const held = remaining.filter((content) => projected.includes(content))
  if (!isSameOrder(record, held, projected)) return false
  const { owner } = record.run
  const isOwn = owner.kind === 'main' && owner.group === group.id
  if (!isOwn) return true
  const beyond = remaining.filter((each) => !projected.includes(each))
  return beyond.every((content) => {
    const holder = groupHolding(ledger, record, content)
    return holder !== undefined && !isLeftOut(holder) && !isBehind(ledger, group, holder)
  })
}

function groupHolding(
  { line, branch }: Projections,
  record: RunRecord,
  content: Content,
): LineGroup | undefined {
  const { base, tested } = record.run
  const number = [...base, ...tested][record.contents.indexOf(content)]
  return number !== undefined && branch.contentOf(number) === content
    ? line.groupOf(number)
    : undefined
}

/** Whether the other one shares a target and will be tested on top of the group. */
function isBehind({ line: { groups } }: Projections, group: LineGroup, other: LineGroup): boolean {
  const isLater = groups.indexOf(other) > groups.indexOf(group)
  return isLater && shareTarget(group.touched, other.touched)
}
