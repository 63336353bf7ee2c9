import type { Content } from './composition.ts'
import { isSameOrder, remainingOf } from './history.ts'
import type { Ledger } from './ledger.ts'
import type { LineGroup } from './line.ts'
import { numbersBelow } from './predecessors.ts'
import { isSame } from './same.ts'
import type { RunRecord } from './test-runs.ts'

/** What a run of the group would hold on top of the branch, if it were put together now. */
function projectionOf({ line, branch }: Ledger, group: LineGroup): Content[] {
  return branch.contentsOf([...numbersBelow(line.groups, group), ...group.members])
}

/**
 * Whether what the run was made of is still the projected state of the group: of its own run all
 * of it, of a successor's that cleared it as far as the group. What it holds beyond that must be
 * in the line still and share no target: it was below when the run was put together.
 */
export function isStillProjected(books: Ledger, group: LineGroup, record: RunRecord): boolean {
  const remaining = remainingOf(record, books.history)
  if (!remaining) return false
  const projected = projectionOf(books, group)
  if (isSame(remaining, projected)) return true
  const held = remaining.filter((content) => projected.includes(content))
  if (!isSameOrder(record, held, projected)) return false
  const { owner } = record.run
  const isOwn = owner.kind === 'main' && owner.group === group.id
  return (
    !isOwn || remaining.every((each) => projected.includes(each) || isInLine(books, record, each))
  )
}

function isInLine({ line, branch }: Ledger, record: RunRecord, content: Content): boolean {
  const { base, tested } = record.run
  const number = [...base, ...tested][record.contents.indexOf(content)]
  if (number === undefined || branch.contentOf(number) !== content) return false
  const group = line.groupOf(number)
  return group !== undefined && group.stand !== 'conflicted'
}
