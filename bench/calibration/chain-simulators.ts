/** Published figures of other simulators and of a team. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { type Source, figuresOf, publishedFigure, seedsTo } from './published-figure.ts'

// Published runs of two other simulators, both of a chain in which a failure restarts all behind.

/**
 * What the other simulator gives for the arrivals and breaking pull requests of our seeds 1 to 8.
 * `longest` is the longest time in queue of a merged pull request, in seconds.
 */
const sameStreams = [
  { seed: 1, builds: 493, merged: 379, longest: 2331.874 },
  { seed: 2, builds: 480, merged: 379, longest: 2056.173 },
  { seed: 3, builds: 532, merged: 371, longest: 2771.641 },
  { seed: 4, builds: 498, merged: 376, longest: 2504.603 },
  { seed: 5, builds: 509, merged: 376, longest: 3405.368 },
  { seed: 6, builds: 488, merged: 379, longest: 2468.222 },
  { seed: 7, builds: 462, merged: 382, longest: 1881.12 },
  { seed: 8, builds: 461, merged: 384, longest: 2735.446 },
] as const

const stream: Scenario = {
  name: 'chain',
  queue: { concurrency: 1000 },
  suite: { minutes: 15 },
  traffic: { count: 400, arrivals: { perHour: 15 }, breakRate: 0.06 },
}

export function mergeQueues(isQuick: boolean): Source {
  const seeds = isQuick ? sameStreams.slice(0, 1) : sameStreams
  const because =
    'The same arrivals, the same breaking pull requests and the same rule: a failure restarts all behind it.'
  return {
    title: 'derrickstolee/merge-queues',
    origin:
      'github.com/derrickstolee/merge-queues at ca5be01, strategy "simple", batch size 1: 400 pull requests, 15 an hour, 6 % break, full builds of 15 minutes, unlimited slots',
    figures: seeds.flatMap(({ seed, builds, merged, longest }) => {
      const { totals, timeInQueueMinutes } = figuresOf({ ...stream, seed })
      const row = (name: string, unit: string, published: number, here: number) =>
        publishedFigure(
          {
            name: `${name}, seed ${seed}`,
            unit,
            published,
            rounding: unit === 's' ? 0.001 : 0,
            expected: 'equal',
            because,
          },
          [here],
        )
      return [
        row('full builds', 'runs', builds, totals.testRuns),
        row('merged', 'pull requests', merged, totals.merged),
        row('longest time in queue', 's', longest, 60 * (timeInQueueMinutes.max ?? 0)),
      ]
    }),
    leftOut: [
      'Its fast builds: here a run is one test command. They were set to pass in a second.',
      'Its batches: a failed batch evicts all its members there, here it is bisected.',
    ],
  }
}

/** Its README: 30 minutes a job, 10 % fail, nobody waits to enter. Per hour. */
const readme = { slots: 5, throughput: 7.3 } as const

export function queueSimulator(isQuick: boolean): Source {
  const seeds = seedsTo(isQuick ? 2 : 10)
  const count = isQuick ? 200 : 2000
  const { slots, throughput } = readme
  return {
    title: 'sonos/github-merge-queue-simulator',
    origin:
      'github.com/sonos/github-merge-queue-simulator at 9d7e55e, README: a full queue, jobs of 30 minutes, 10 % fail',
    figures: [
      publishedFigure(
        {
          name: `merged an hour, ${slots} slots`,
          unit: 'an hour',
          published: throughput,
          rounding: 0.1,
          expected: 'by chance',
          because:
            'In each round those ahead of the first failure merge. It prints one random run with one digit.',
        },
        seeds.map((seed) => {
          // All pull requests are submitted at once, so that no slot is ever free.
          const arrivals = { bursts: { size: count, everyMinutes: 1 } }
          const { totals, endedAtMinutes } = figuresOf({
            name: 'saturated',
            seed,
            queue: { concurrency: slots },
            suite: { minutes: 30 },
            traffic: { count, arrivals, breakRate: 0.1 },
          })
          return totals.merged / (endedAtMinutes / 60)
        }),
      ),
    ],
    leftOut: [
      'Its lost jobs: they are those that fail and those that restart behind them. Here a restarted pull request is not lost.',
      'Its time to merge: it follows from a line of fixed length (Little’s law), and has no arrivals.',
    ],
  }
}

// How often a healthy pull request is evicted, if several failures in a row are needed for it.

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
