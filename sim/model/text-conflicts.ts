/** Chapter "Text conflicts". */

import { move } from './deeds.ts'
import { fail } from './departures.ts'
import { membersBelow, splitOff, tiedByUploads } from './groups.ts'
import { byOrder } from './pull-request-states.ts'
import { restartWithout } from './restarts.ts'
import { without, type Group, type Model, type PullRequest } from './state.ts'

/** E-66, E-67: settles the first member that conflicts with the tip or with what is below it. */
export function settleConflicts(model: Model, group: Group): boolean {
  const below = membersBelow(model, group)
  for (const one of group.members) {
    const pairs = model.conflicts.filter((pair) => pair.includes(one.number))
    const others = pairs.flatMap((pair) => without(pair, one.number))
    // Also if the merged pull request was submitted again.
    const isTip = model.branch.some(({ number }) => number !== null && others.includes(number))
    const [other] = others.flatMap((number) => below.filter((each) => each.number === number))
    below.push(one)
    if (!isTip && !other) continue
    const own = group.members.length > 1 ? leaveBatch(model, group, one) : group
    move(model, [one], 'TESTING')
    if (isTip || !other) {
      fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
      return true
    }
    own.tiedTo = tiedByUploads(model, own)
    own.phase = { is: 'conflicting', with: other }
    move(model, [one], 'PENDING_FAILURE')
    restartWithout(model, [one], 'PREREQUISITE_MERGE_ITEM_FAILED')
    return true
  }
  return false
}

/** E-69: those that leave one batch keep the pending order among themselves. */
function leaveBatch(model: Model, group: Group, one: PullRequest): Group {
  const from = group.origin ?? group
  return splitOff(model, group, [one], ({ origin, members: [first = one] }) => {
    return origin === from && byOrder(first, one) < 0
  })
}

/** E-68: the predecessor has merged. */
export function settleConflicting(model: Model): void {
  const group = model.line.find(({ phase }) => phase.with?.state === 'MERGED')
  for (const one of group?.members ?? []) fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
}
