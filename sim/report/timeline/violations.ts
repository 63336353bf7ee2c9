/** Where in the timeline something broke. */

import type { Violation } from '../../properties/property.ts'
import { toMillis } from '../../time.ts'
import type { BrokenStep } from './pull-request-row.ts'

/** What links to the first one name. */
export const violationId = 'violation'

/** By pull request: what broke about it. The first of all has an id, at the first who is told of. */
export function brokenSteps(
  violations: readonly Violation[],
  isTold: (number: number) => boolean,
): Map<number, BrokenStep[]> {
  const byNumber = new Map<number, BrokenStep[]>()
  let id: string | null = violationId
  for (const { property, atMinutes, story, pullRequests } of inOrder(violations)) {
    for (const number of pullRequests.filter(isTold)) {
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

/** As they happened. */
export function inOrder(violations: readonly Violation[]): Violation[] {
  return [...violations].sort((a, b) => a.sequence - b.sequence)
}
