/** The same as in `wrong-lanes.ts`, for properties of failures that step aside and of screening. */

import { alteringEvents, alteringRuns } from './alterations.ts'
import { inLanes } from './in-lanes.ts'
import { submit } from './script.ts'
import type { WrongLane } from './wrong-lanes.ts'

export const speculationCases: readonly WrongLane[] = [
  {
    property: 'failures-step-aside',
    world: inLanes(submit(0, 1, 2, 3, 4), {
      configuration: { policy: 'adaptive' },
      facts: { breaks: [3] },
    }),
    wrongly: 'a failure stays in the way of those behind',
    alteration: alteringEvents((event) => {
      if (event.type !== 'groupFailed') return [event]
      const { aside: _aside, ...other } = event
      return [other]
    }),
    story: /the failure of pull request 3 has to step aside/,
  },
  {
    property: 'screens-in-doubt',
    world: inLanes(submit(0, 1, 2, 3, 4), { configuration: { policy: 'adaptive' } }),
    wrongly: 'a group is tested alone although the one below it will probably pass',
    alteration: alteringRuns(
      ({ tested }) => tested.includes(3),
      () => ({ base: [], submissions: [3], screening: true }),
    ),
    story: /tests pull request 3 alone, but it has to be tested on top/,
  },
]
