/** How often a healthy pull request is evicted, if several failures in a row are needed for it. */

import type { Source } from './published-figure.ts'
import { publishedFigure } from './published-figure.ts'
import { figuresOf, seedsTo } from './simulated.ts'

/** The share of healthy ones that are removed if a run flakes with chance 0.25. */
const tolerances = [
  { depth: 0, removed: 0.25 },
  { depth: 1, removed: 0.0625 },
  { depth: 2, removed: 0.0156 },
] as const

export function retries(isQuick: boolean): Source {
  const seeds = seedsTo(isQuick ? 2 : 10)
  const count = isQuick ? 40 : 1000
  return {
    title: 'Shopify, failures in a row',
    origin: 'Shopify Engineering, "Successfully Merging the Work of 1000+ Developers" (2019)',
    figures: tolerances.map(({ depth, removed }) =>
      publishedFigure(
        {
          name: `healthy ones evicted after ${depth + 1} failure${depth === 0 ? '' : 's'} in a row`,
          unit: 'of all',
          published: removed,
          rounding: 0.00005,
          expected: depth === 0 ? 'by chance' : 'other rules',
          because:
            depth === 0
              ? 'The first failed run evicts, and a quarter of the runs flake.'
              : 'There the failures are independent. Here the run of a successor decides, and one that has cleared somebody has passed itself.',
        },
        seeds.map((seed) => {
          const { totals } = figuresOf({
            name: 'failures-in-a-row',
            seed,
            queue: { concurrency: 10, pendingFailureDepth: depth, canOptimisticallyMerge: true },
            suite: { minutes: 10 },
            suiteFlakes: { perRun: 0.25 },
            traffic: { count, arrivals: { perHour: 6 * 10 } },
          })
          return totals.healthyEvicted / count
        }),
      ),
    ),
    leftOut: [],
  }
}
