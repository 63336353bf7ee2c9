import type { Content } from './composition.ts'
import { isSameOrder, remainingOf } from './history.ts'
import type { Projections } from './ledger.ts'
import { isLeftOut, type LineGroup } from './line-group.ts'
import { numbersBelow, predecessorsOf } from './predecessors.ts'
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

/**
 * The same for a group under way. It need not hold what has come below it only by an upload, because
 * a group below it has started again since then (E-143).
 */
export function isProjectedButForUploads(
  ledger: Projections,
  group: LineGroup,
  record: RunRecord,
): boolean {
  const { line, branch } = ledger
  const remaining = remainingOf(record, ledger.history)
  if (!remaining) return false
  const below = predecessorsOf(line.groups, group)
  const isHeld = ({ members }: LineGroup): boolean =>
    branch.contentsOf(members).some((content) => remaining.includes(content))
  const isLinked = ({ touched }: LineGroup, place: number): boolean => {
    const above = [...below.slice(place + 1).filter(isHeld), group]
    return above.some((each) => shareTarget(touched, each.touched))
  }
  const linked = below.filter((each, place) => isHeld(each) || isLinked(each, place))
  const projected = [...linked, group].flatMap(({ members }) => branch.contentsOf(members))
  return isMadeOf(ledger, group, record, remaining, projected)
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
  return (
    !isOwn || remaining.every((each) => projected.includes(each) || isInLine(ledger, record, each))
  )
}

function isInLine({ line, branch }: Projections, record: RunRecord, content: Content): boolean {
  const { base, tested } = record.run
  const number = [...base, ...tested][record.contents.indexOf(content)]
  if (number === undefined || branch.contentOf(number) !== content) return false
  const group = line.groupOf(number)
  return group !== undefined && !isLeftOut(group)
}
