/** Closed forms of queueing theory and of group testing. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { type Source, figuresOf, publishedFigure, seedsTo } from './published-figure.ts'
import { bors } from '../queues/bors.ts'
import { usualValues } from '../queues/queue.ts'
import { simulatePolicy } from '../queues/simulate-policy.ts'

// Waiting times of queueing theory: one slot with equal runs, several with exponential ones.

/** The mean wait in runs, rho / (2 (1 - rho)), by the load rho. */
const oneSlot = [
  { load: 0.5, wait: 0.5 },
  { load: 0.8, wait: 2 },
] as const

/** The mean wait in runs at load 0.8 (Erlang C), by the number of slots. */
const manySlots = [
  { slots: 2, wait: 1.77778 },
  { slots: 4, wait: 0.74554 },
  { slots: 8, wait: 0.28603 },
] as const

const minutes = 10

export function queueing(isQuick: boolean): Source {
  const seeds = seedsTo(isQuick ? 2 : 20)
  const count = isQuick ? 100 : 4000
  const row = (name: string, published: number, scenario: Scenario) =>
    publishedFigure(
      {
        name: `mean wait, ${name}`,
        unit: 'runs',
        published,
        expected: 'by chance',
        because: 'Nothing fails and nothing is batched, so the queue is the one of the formula.',
      },
      seeds.map((seed) => (figuresOf({ ...scenario, seed }).waitMinutes.mean ?? 0) / minutes),
    )
  return {
    title: 'Queueing theory',
    origin: 'M/D/1 (Pollaczek and Khinchine) and M/M/c (Erlang C), closed forms',
    figures: [
      ...oneSlot.map(({ load, wait }) =>
        row(`one slot, load ${load}, equal runs`, wait, {
          name: 'm-d-1',
          queue: { concurrency: 1 },
          suite: { minutes },
          traffic: { count, arrivals: { perHour: (load * 60) / minutes } },
        }),
      ),
      ...manySlots.map(({ slots, wait }) =>
        row(`${slots} slots, load 0.8, exponential runs`, wait, {
          name: 'm-m-c',
          queue: { concurrency: slots, testingTimeoutMinutes: 0 },
          suite: { minutes: { exponential: minutes } },
          traffic: { count, arrivals: { perHour: (0.8 * slots * 60) / minutes } },
        }),
      ),
    ],
    leftOut: [],
  }
}

// Test runs that a batch with unknown culprits needs, by the theory of group testing.

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
