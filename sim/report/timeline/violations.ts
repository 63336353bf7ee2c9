/** The violations in the timeline. */

import type { Violation } from '../../observe/property.ts'
import { toMillis } from '../../scenario/time.ts'
import type { BrokenStep } from './pull-request-row.ts'

/** The id of the first violation, which links use. */
export const violationId = 'violation'

/** Returns the violations by pull request. Only the first one on a shown pull request has an id. */
export function brokenSteps(
  violations: readonly Violation[],
  isShown: (number: number) => boolean,
): Map<number, BrokenStep[]> {
  const byNumber = new Map<number, BrokenStep[]>()
  let id: string | null = violationId
  for (const { property, atMinutes, story, pullRequests } of inOrder(violations)) {
    for (const number of pullRequests.filter(isShown)) {
      const steps = byNumber.get(number) ?? []
      steps.push({
        at: toMillis(atMinutes),
        sentence: `BROKEN ${property}: ${story}`,
        broken: { id },
      })
      byNumber.set(number, steps)
      id = null
    }
  }
  return byNumber
}

/** Returns the violations in the order in which they happened. */
export function inOrder(violations: readonly Violation[]): Violation[] {
  return [...violations].sort((a, b) => a.sequence - b.sequence)
}
