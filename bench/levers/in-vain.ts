/**
 * Policies that were tried and did not help. Their code is gone. Measured with 24 seeds on
 * startup-monorepo, midsize-monolith, release-freeze and sticky-failures.
 */

import type { TriedInVain } from '../measuring/lever-study.ts'

export const triedInVain: readonly TriedInVain[] = [
  {
    policy: 'Holding starts back while the chance is small, without screening',
    found: 'CI minutes 55 % less on release-freeze, but p95 0 to 40 % more on midsize-monolith.',
  },
  {
    policy: 'A wait for batches in proportion to the busy slots, or to their square',
    found:
      'On startup-monorepo with all levers p95 50 to 55 min for 17 to 17.5 CI min, whatever the size and the wait; batches of 2 that wait 10 minutes give 63 for 14.2. On midsize-monolith p95 135 to 146 for 22 to 24; batches of 4 give 140 for 16.6.',
  },
  {
    policy: 'Survivors that take waiting pull requests along beyond the batch size',
    found: 'CI minutes 2 to 3 % less; p95 0 to 10 % more unless failed groups step aside.',
  },
  {
    policy: 'Bisecting a failed batch together with the survivors on top of which it was tested',
    found:
      'On four histories 0.2 to 1.0 points more runs saved than with riding along. Two groups would have to become one bisection.',
  },
  {
    policy: 'Screening with a least chance of 0.15, 0.5 or 0.7 instead of 0.3',
    found:
      '0.15 and 0.5 are no better than 0.3. At 0.7 the line falls apart: 2 to 8 times the CI minutes.',
  },
]
