import type { Content } from './composition.ts'
import { isSameOrder, remainingOf } from './history.ts'
import type { Projections } from './ledger.ts'
import type { LineGroup } from './line.ts'
import { numbersBelow } from './predecessors.ts'
import { isSame } from './same.ts'
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
  if (!remaining) return false
  const projected = projectionOf(ledger, group)
  if (isSame(remaining, projected)) return true
  const held = remaining.filter((content) => projected.includes(content))
  if (!isSameOrder(record, held, projected)) return false
  const { owner } = record.run
  const isOwn = owner.kind === 'main' && owner.group === group.id
  return (
    !isOwn || remaining.every((each) => projected.includes(each) || isInLine(ledger, record, each))
  )
}

function isInLine({ line, branch }: Projections, record: RunRecord, content: Content): boolean {
  const { base, tested } = record.run
  const number = [...base, ...tested][record.contents.indexOf(content)]
  if (number === undefined || branch.contentOf(number) !== content) return false
  const group = line.groupOf(number)
  return group !== undefined && group.status !== 'conflicted'
}
