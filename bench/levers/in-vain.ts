/**
 * Policies that were tried and did not help. Their code is gone. Measured with 24 seeds on
 * startup-monorepo, midsize-monolith, release-freeze and sticky-failures. Those with paired seeds were
 * measured with 40, on top of the proposed setting, on up to nine archetypes and histories: the median
 * place, and in brackets the best and the worst. Shares of runs are counts of 10 seeds. What needs a prediction was told the truth, which is
 * better than any prediction.
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
  {
    policy: 'Pull requests that break last in their batch, told the truth',
    found:
      'Paired seeds: p95 2 % less (12 % less to 4 % more), CI minutes 1 % less (4 to 0). With batches of 4, p95 13 % less (15 to 6) and CI minutes 6 % less (7 to 3). So a predictor that is right every time would gain this; none is known to the queue.',
  },
  {
    policy: 'Pull requests that came directly behind one that was FAILED last in their batch of 4',
    found: 'Paired seeds: p95 0 % (0 to 2 % more), CI minutes 0 %, also on sticky-failures.',
  },
  {
    policy: 'Safe pull requests pass others for 15 or 60 minutes, told the truth',
    found:
      'Paired seeds: for 15 minutes p95 3 % less (9 % less to 3 % more), CI minutes 2 % less. For 60 minutes p95 6 % less (12 % less to 2 % more), CI minutes 3 % less. Histories twenty times as busy: 1 to 3 % and 0 %.',
  },
  {
    policy: 'Pull requests with short tests pass others for 15 or 60 minutes, told their lengths',
    found:
      'Paired seeds, four histories twenty times as busy, the slowest test of a run decides: p95 0 % (3 % less to 2 % more), CI minutes 0 %. In lanes independent ones pass others anyway.',
  },
  {
    policy: 'A bisection that tests the culprit and those before it, told the truth',
    found:
      'Paired seeds: p95 0 % (15 % less to 4 % more), CI minutes 0 % (8 % less to 2 % more). With batches of 4, p95 2 % and CI minutes 6 % less.',
  },
  {
    policy: 'A bisection that tests the next member alone after a conviction',
    found:
      'Paired seeds: p95 0 % (0 to 39 % more), CI minutes 0 % (0 to 14 % more), and 0 % on sticky-failures.',
  },
  {
    policy: 'Reuse of the verdicts of all compositions by main runs',
    found:
      'Of main runs 0 to 0.2 % would have tested what had passed already, or a part of it; of bisection runs none, besides their own verdicts, which they use.',
  },
  {
    policy: 'Runs behind a failure that go on in case it is a flake',
    found:
      'Of all runs 0 to 0.2 % were cancelled because of a failure ahead although their composition came true. A pendingFailureDepth of 1 lets them go on: paired seeds, p95 16 % more (2 % less to 21 % more), CI minutes 5 % more (9 % less to 9 % more); less only on flaky-storm. So it counts only while runs flake (holdOnlyWhileFlaky).',
  },
  {
    policy: 'Survivors that ride along past a failed batch that stepped aside',
    found:
      'On DSpace, gradle and opal 0.6 to 1.6 points fewer runs saved: the branch overtakes the failed batch, so its bisection begins without the failure as a verdict.',
  },
]
