/**
 * Which pull requests conflict as text, as the code host has reported; or, if only a build finds it,
 * as they do in truth.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Truth } from '../world/truth.ts'
import type { Projection } from './projection.ts'

export type ReportedConflicts = Projection & {
  of(number: PullRequestNumber): ReadonlySet<PullRequestNumber>
}

const none: ReadonlySet<PullRequestNumber> = new Set()

export function reportedConflicts(inTruth: Truth | null): ReportedConflicts {
  const reported = new Map<PullRequestNumber, Set<PullRequestNumber>>()
  const add = (number: PullRequestNumber, other: PullRequestNumber): void => {
    const known = reported.get(number)
    if (known) known.add(other)
    else reported.set(number, new Set([other]))
  }
  return {
    of: (number) => reported.get(number) ?? none,
    on: {
      pullRequestSubmitted({ number }) {
        for (const other of inTruth?.relativesOf(number) ?? []) {
          if (!inTruth?.conflict(number, other)) continue
          add(number, other)
          add(other, number)
        }
      },
      pullRequestReported({ number, conflictsWith = [] }) {
        for (const other of conflictsWith) {
          add(number, other)
          add(other, number)
        }
      },
    },
  }
}
