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
    policy: 'A wait for batches in proportion to the busy slots',
    found:
      'p95 5 to 20 % less for 8 to 15 % more CI minutes. Batches of 2 give more for the same price.',
  },
  {
    policy: 'Survivors that take waiting pull requests along beyond the batch size',
    found: 'CI minutes 2 to 3 % less; p95 0 to 10 % more unless failed groups step aside.',
  },
  {
    policy: 'Screening with a least chance of 0.15, 0.5 or 0.7 instead of 0.3',
    found:
      '0.15 and 0.5 are no better than 0.3. At 0.7 the line falls apart: 2 to 8 times the CI minutes.',
  },
]
