/** The same as in `wrong-lanes.ts`, for properties of merges that take time. */

import { alteringEvents } from './alterations.ts'
import { inLanes } from './in-lanes.ts'
import { submit } from './script.ts'
import type { WrongLane } from './wrong-lanes.ts'

const slow = { ...inLanes(submit(0, 1, 2, 3, 4)), mergeMinutes: 2 }
const moved = { type: 'pullRequestMoved', reason: null, testRun: null } as const

export const mergingCases: readonly WrongLane[] = [
  {
    property: 'merges-are-seen-through',
    world: slow,
    wrongly: 'a pull request moves while the code host merges it',
    alteration: alteringEvents((event) =>
      event.type === 'mergeRequested'
        ? [event, { ...moved, number: event.number, from: 'TESTS_PASSED', to: 'PENDING' }]
        : [event],
    ),
    story: /Pull request \d became PENDING/,
  },
  {
    property: 'a-moved-branch-fails-nobody',
    world: { ...slow, moves: [2] },
    wrongly: 'the verdict of a group whose branch moved still counts',
    alteration: alteringEvents((event) =>
      event.type === 'groupRestarted' && event.reason === 'MANUAL_PUSH_TO_TARGET_BRANCH'
        ? []
        : [event],
    ),
    story: /the target branch had moved, and nobody tests pull request 2 again/,
  },
]
