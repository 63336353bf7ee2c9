/** Waiting times of queueing theory: one slot with equal runs, several with exponential ones. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { Source } from './published-figure.ts'
import { publishedFigure } from './published-figure.ts'
import { figuresOf, seedsTo } from './simulated.ts'

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
  const waits = (scenario: Scenario): number[] =>
    seeds.map((seed) => (figuresOf({ ...scenario, seed }).waitMinutes.mean ?? 0) / minutes)
  const because = 'Nothing fails and nothing is batched, so the queue is the one of the formula.'
  return {
    title: 'Queueing theory',
    origin: 'M/D/1 (Pollaczek and Khinchine) and M/M/c (Erlang C), closed forms',
    figures: [
      ...oneSlot.map(({ load, wait }) =>
        publishedFigure(
          {
            name: `mean wait, one slot, load ${load}, equal runs`,
            unit: 'runs',
            published: wait,
            expected: 'by chance',
            because,
          },
          waits({
            name: 'm-d-1',
            queue: { concurrency: 1 },
            suite: { minutes },
            traffic: { count, arrivals: { perHour: (load * 60) / minutes } },
          }),
        ),
      ),
      ...manySlots.map(({ slots, wait }) =>
        publishedFigure(
          {
            name: `mean wait, ${slots} slots, load 0.8, exponential runs`,
            unit: 'runs',
            published: wait,
            expected: 'by chance',
            because,
          },
          waits({
            name: 'm-m-c',
            queue: { concurrency: slots, testingTimeoutMinutes: 0 },
            suite: { minutes: { exponential: minutes } },
            traffic: { count, arrivals: { perHour: (0.8 * slots * 60) / minutes } },
          }),
        ),
      ),
    ],
    leftOut: [],
  }
}
