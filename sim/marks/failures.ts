/** Situations around a failure that is not acted upon at once. */

import type { GroupId, PullRequestNumber } from '../../engine/index.ts'
import type { Moment } from '../moment.ts'
import { shownBy, type Mark } from './mark.ts'

type End = 'rescue' | 'failure'

/** How a hold ends: a failed group's wait for the successor runs that were noted for it. */
function holdThatEndsIn(wanted: End): Mark['watch'] {
  return () => {
    const held = new Map<GroupId, readonly PullRequestNumber[]>()
    const endOf = (event: Moment['events'][number]): End | null => {
      if (event.type === 'groupPassed' && held.has(event.group)) return 'rescue'
      if (event.type === 'bisectionStarted' && held.has(event.group)) return 'failure'
      const isFailed = event.type === 'pullRequestMoved' && event.to === 'FAILED'
      return isFailed && [...held.values()].flat().includes(event.number) ? 'failure' : null
    }
    return ({ events, queue }) =>
      events.some((event) => {
        if (event.type === 'successorsNoted' && event.testRuns.length > 0) {
          held.set(event.group, queue.groups[event.group]?.members ?? [])
        }
        if (event.type === 'groupRestarted') held.delete(event.group)
        return endOf(event) === wanted
      })
  }
}

export const failureMarks: readonly Mark[] = [
  {
    name: 'failure not yet its own',
    sentence: 'A group fails on top of others that have not merged, and waits for their fate.',
    watch: shownBy('groupFailed', ({ group }, { queue }) => {
      const phase = queue.groups[group]?.phase
      return phase?.kind === 'failed' && phase.run.base.some((number) => isOpen(queue, number))
    }),
  },
  {
    name: 'failure forgotten',
    sentence: 'Somebody below a failed group leaves: it is tested again without that one.',
    watch: shownBy('pullRequestMoved', ({ from, reason }) => {
      const hasLeft =
        reason === 'PREREQUISITE_MERGE_ITEM_FAILED' ||
        reason === 'PREREQUISITE_MERGE_ITEM_CANCELLED'
      return from === 'PENDING_FAILURE' && hasLeft
    }),
  },
  {
    name: 'hold that ends in rescue',
    sentence: 'A failed group waits for its successors, and one that passes clears it.',
    watch: holdThatEndsIn('rescue'),
  },
  {
    name: 'hold that ends in failure',
    sentence: 'A failed group waits for its successors, and none of them clears it.',
    watch: holdThatEndsIn('failure'),
  },
  {
    name: 'flake found out',
    sentence: 'A failure is contradicted: what failed has passed.',
    watch: shownBy('verdictContradicted'),
  },
  {
    name: 'optimistic merge',
    sentence: 'A group is cleared by the run of a successor that contains it.',
    watch: shownBy('groupPassed', ({ group, run: { owner } }) => {
      return owner.kind === 'main' && owner.group !== group
    }),
  },
]

function isOpen(queue: Moment['queue'], number: PullRequestNumber): boolean {
  const state = queue.pullRequests[number]?.state
  return state === 'TESTING' || state === 'TESTS_PASSED' || state === 'PENDING_FAILURE'
}
