/** Test runs that a batch with unknown culprits needs, by the theory of group testing. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { bors } from '../queues/bors.ts'
import { usualValues } from '../queues/parameters.ts'
import { simulatePolicy } from '../queues/simulate-policy.ts'
import { type Source, publishedFigure } from './published-figure.ts'
import { figuresOf, seedsTo } from './simulated.ts'

/** Expected runs per batch: halves without inference, and the optimal nested policy. */
const expectedRuns = [
  { size: 8, rate: 0.05, halves: 3.19513, optimal: 2.49934 },
  { size: 8, rate: 0.1, halves: 5.03467, optimal: 3.90441 },
  { size: 16, rate: 0.05, halves: 6.51001, optimal: 4.75322 },
] as const

export function groupTesting(isQuick: boolean): Source {
  const seeds = seedsTo(isQuick ? 2 : 10)
  const batches = isQuick ? 10 : 400
  return {
    title: 'Group testing',
    origin: 'halves: recursion over all parts; optimum: Sobel and Groll, rule R1 (1959)',
    figures: expectedRuns.flatMap(({ size, rate, halves, optimal }) => {
      const scenario: Scenario = {
        name: 'batches',
        queue: { concurrency: 1, bisectionConcurrency: 1, batch: true, batchingMinSize: size },
        suite: { minutes: 1 },
        traffic: {
          count: size * batches,
          arrivals: { bursts: { size, everyMinutes: 1000 } },
          breakRate: rate,
        },
      }
      const ofBors = (seed: number): number =>
        simulatePolicy({ ...scenario, seed }, bors.policy(usualValues(bors)), 1).testRuns / batches
      const ofEngine = (seed: number): number =>
        figuresOf({ ...scenario, seed }).totals.testRuns / batches
      const named = `${size} pull requests, ${100 * rate} % break`
      return [
        publishedFigure(
          {
            name: `runs of a batch split in halves (bors-like), ${named}`,
            unit: 'runs',
            published: halves,
            expected: 'by chance',
            because: 'The policy splits in halves and tests both, as the formula does.',
          },
          seeds.map(ofBors),
        ),
        publishedFigure(
          {
            name: `runs of a batch at the optimum (Mergeyard), ${named}`,
            unit: 'runs',
            published: optimal,
            expected: 'other rules',
            because:
              'The optimum knows the failure rate. Mergeyard learns it, for at most 2 % more runs (E-75); the rest is chance.',
          },
          seeds.map(ofEngine),
        ),
      ]
    }),
    leftOut: [],
  }
}
