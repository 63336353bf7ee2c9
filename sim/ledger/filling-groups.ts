/**
 * The groups that may start next, read plainly from the waiting pull requests: each with the members
 * that have joined so far. In single mode any two pull requests share a target, so there is one.
 */

import { shareTarget, type Targets } from './targets.ts'
import { startsAlone, type WaitingList, type WaitingPullRequest } from './waiting-list.ts'

export type FillingGroup = {
  /** In order. */
  readonly members: readonly WaitingPullRequest[]
  /** It need not wait: it is full, or is tested alone, or the next one cannot join. */
  readonly isComplete: boolean
}

type Waiting = { readonly waiting: WaitingList; readonly targets: Targets }

/** Rules: E-30, E-31, E-32, E-97, E-121. In lanes it compares all with all: ask it only for a few. */
export function fillingGroups({ waiting, targets }: Waiting, size: number): FillingGroup[] {
  const hasLanes = targets.of([]) !== 'ALL'
  const pending = waiting.first(hasLanes ? waiting.pending : size)
  const share = hasLanes ? sharingIn(pending, targets) : () => true
  const groups: FillingGroup[] = []
  for (const [position, first] of pending.entries()) {
    const ahead = pending.slice(0, position)
    if (ahead.some((other) => share(other, first))) continue
    groups.push(filled(first, { ahead, behind: pending.slice(position + 1), size, share }))
    if (!hasLanes) break
  }
  return groups
}

type Sharing = (a: WaitingPullRequest, b: WaitingPullRequest) => boolean

function sharingIn(pending: readonly WaitingPullRequest[], targets: Targets): Sharing {
  const touched = new Map(pending.map((each) => [each, targets.of([each.number])]))
  return (a, b) => shareTarget(touched.get(a) ?? 'ALL', touched.get(b) ?? 'ALL')
}

type Others = {
  readonly ahead: readonly WaitingPullRequest[]
  readonly behind: readonly WaitingPullRequest[]
  readonly size: number
  readonly share: Sharing
}

function filled(first: WaitingPullRequest, { ahead, behind, size, share }: Others): FillingGroup {
  const members = [first]
  if (size === 1 || startsAlone(first)) return { members, isComplete: true }
  const skipped = [...ahead]
  for (const next of behind) {
    if (members.length === size) break
    const isBarred = startsAlone(next) || skipped.some((other) => share(other, next))
    if (!members.some((member) => share(member, next))) skipped.push(next)
    else if (isBarred) return { members, isComplete: true }
    else members.push(next)
  }
  return { members, isComplete: members.length === size }
}
