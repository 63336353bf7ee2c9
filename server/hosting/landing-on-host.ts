/** Landings on a host with pull requests: who may still merge, and its merge button. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import { leave } from './following-pulls.ts'
import { departureOf, type Departed, type Forge, type LandedOnHost } from './forge.ts'
import { cardOf, landed, methodOf, type HostedParts } from './hosted-parts.ts'

/**
 * The first member that the host would not merge as it was tested. The queue is told why; this look comes right
 * before the push or the button, and asks for all members at once, so that none of the answers is old by then.
 */
async function departedOf(
  parts: HostedParts,
  forge: Forge,
  numbers: readonly PullRequestNumber[],
): Promise<Departed | null> {
  const pulls = await Promise.all(numbers.map((number) => forge.pull(number)))
  for (const [index, number] of numbers.entries()) {
    const pull = pulls[index]
    const frozen = cardOf(parts, number)
    if (!pull || !frozen) return { number, isPushedTo: false }
    const departure = departureOf(pull, frozen, parts.queue.ref.targetBranch)
    // Whoever may push past the rules of a branch must keep them.
    const unapproved = departure === null ? forge.unapprovedFor(number) : null
    if (departure === null && unapproved === null) continue
    const isPushedTo = departure === 'PR_PUSHED_TO'
    if (!isPushedTo) leave(parts, pull)
    return { number, isPushedTo, ...(unapproved === null ? {} : { words: unapproved }) }
  }
  return null
}

/** Like `departedOf`, and those that are built on others get the target branch as their base. Rule: A-305. */
export async function madeReady(
  parts: HostedParts,
  forge: Forge,
  numbers: readonly PullRequestNumber[],
): Promise<Departed | null> {
  const departed = await departedOf(parts, forge, numbers)
  if (departed) return departed
  for (const number of numbers) await forge.retarget(number)
  return null
}

/** Lands a group by the merge button, and tells the queue what has landed. `left` has not. */
export async function landOnHost(
  parts: HostedParts,
  forge: Forge,
  wanted: {
    readonly expect: Oid
    readonly numbers: readonly PullRequestNumber[]
    readonly commits: readonly Oid[]
  },
): Promise<{ readonly outcome: LandedOnHost; readonly left: readonly PullRequestNumber[] }> {
  const { expect, numbers } = wanted
  const members = numbers.map((number, index) => {
    return { number, head: cardOf(parts, number)?.head ?? '', commit: wanted.commits[index] ?? '' }
  })
  const { commits, stopped } = await forge.land({
    ...{ method: methodOf(parts), expect, members },
    departedOf: (number) => madeReady(parts, forge, [number]),
  })
  if (commits.length > 0) landed(parts, numbers.slice(0, commits.length), commits)
  return { outcome: stopped ?? { is: 'landed' }, left: numbers.slice(commits.length) }
}
