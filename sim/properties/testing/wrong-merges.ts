/** The same as in `wrong-lanes.ts`, for properties of merges that take time and of numbers. */

import { alteringEvents } from './alterations.ts'
import { inLanes } from './in-lanes.ts'
import { at, submit } from './script.ts'
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
  {
    property: 'hosts-are-asked',
    world: inLanes([at(0, { type: 'attachHost', codeHost: 'groups' }), ...submit(0, 1, 2)]),
    wrongly: 'the host is not asked',
    alteration: alteringEvents((event) => (event.type === 'mergeRequested' ? [] : [event])),
    story: /Pull request \d merged at minute 10, and the code host was not asked/,
  },
  {
    property: 'unbuildable-ends',
    world: inLanes([
      ...submit(0, 1, 3),
      at(1, { type: 'reportUnbuildable', testRun: 2, number: 3, conflictsWith: 1 }),
    ]),
    wrongly: 'the run that git cannot build goes on',
    alteration: alteringEvents((event) => (event.type === 'testRunCancelled' ? [] : [event])),
    story: /Run 2 is under way after minute 1/,
  },
  {
    property: 'numbers-have-no-gap',
    world: slow,
    wrongly: 'a number of a group is left out',
    alteration: alteringEvents((event) =>
      event.type === 'groupPlaced' && event.group > 2
        ? [{ ...event, group: event.group + 1 }]
        : [event],
    ),
    story: /group 4 began, and the next number was 3/,
  },
]
