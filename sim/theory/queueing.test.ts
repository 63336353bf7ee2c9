import { describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import type { Millis } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'

/** Each takes seconds. By default one of each kind: it has the longer line. */
const isAll = process.env['MERGEYARD_THEORY'] === 'all'

type ServedPullRequest = {
  readonly arrived: Millis
  readonly started: Millis
  readonly length: Millis
}

/** Simulates the scenario. Returns each pull request with its only test run, by arrival. */
function served(scenario: Scenario): ServedPullRequest[] {
  const arrivals = new Map<number, Millis>()
  const starts = new Map<number, { readonly number: number; readonly at: Millis }>()
  const all: ServedPullRequest[] = []
  const read = ({ command: { at }, events }: Step): void => {
    for (const event of events) {
      if (event.type === 'pullRequestSubmitted') arrivals.set(event.number, at)
      if (event.type === 'testRunStarted') {
        for (const number of event.run.tested) starts.set(event.run.id, { number, at })
      }
      const start = event.type === 'testRunFinished' ? starts.get(event.testRun) : undefined
      if (!start) continue
      const arrived = arrivals.get(start.number) ?? NaN
      all.push({ arrived, started: start.at, length: at - start.at })
    }
  }
  simulate(scenario, { observers: [() => read], isUnhashed: true })
  return all.sort((a, b) => a.arrived - b.arrived)
}

/** Returns mean and standard error of a correlated series by the method of batch means. */
function meanOf(values: readonly number[], batches = 20): { mean: number; error: number } {
  const size = Math.floor(values.length / batches)
  const average = (some: readonly number[]): number =>
    some.reduce((sum, value) => sum + value, 0) / some.length
  const means = Array.from({ length: batches }, (_, batch) =>
    average(values.slice(batch * size, (batch + 1) * size)),
  )
  const mean = average(means)
  const spread = average(means.map((each) => (each - mean) ** 2))
  return { mean, error: Math.sqrt(spread / (batches - 1)) }
}

describe('given one slot and no batching', () => {
  test("every wait equals Lindley's recursion on the same arrivals, to the millisecond", () => {
    const all = served({
      name: 'lindley',
      seed: 7,
      queue: { concurrency: 1 },
      suite: { minutes: { median: 10, p95: 25 } },
      traffic: { count: 2000, arrivals: { perHour: 4.5 }, breakRate: 0.1 },
    })
    expect(all).toHaveLength(2000)
    let wait = 0
    for (const [index, { arrived, started, length }] of all.entries()) {
      expect(started - arrived).toBe(wait)
      const next = all[index + 1]
      if (next) wait = Math.max(0, wait + length - (next.arrived - arrived))
    }
  })

  test.each([...(isAll ? [[0.5, 0.5] as const] : []), [0.8, 2] as const])(
    'at load %f, the mean wait is %f test runs, as in an M/D/1 queue',
    matrix,
    (load, expected) => {
      const minutes = 10
      const waits = served({
        name: 'm-d-1',
        seed: 3,
        queue: { concurrency: 1 },
        suite: { minutes },
        traffic: { count: 40_000, arrivals: { perHour: (load * 60) / minutes } },
      }).map(({ arrived, started }) => (started - arrived) / (minutes * 60_000))
      const { mean, error } = meanOf(waits)
      expect(Math.abs(mean - expected)).toBeLessThan(2 * error)
    },
  )
})

test.each([[2, 1.77778] as const, ...(isAll ? [[8, 0.28603] as const] : [])])(
  'given several slots with %i slots at load 0.8, the mean wait is %f test runs, as in an M/M/c queue',
  matrix,
  (concurrency, expected) => {
    const minutes = 10
    const waits = served({
      name: 'm-m-c',
      seed: 5,
      queue: { concurrency },
      suite: { minutes: { exponential: minutes } },
      traffic: { count: 40_000, arrivals: { perHour: (0.8 * concurrency * 60) / minutes } },
    }).map(({ arrived, started }) => (started - arrived) / (minutes * 60_000))
    const { mean, error } = meanOf(waits)
    expect(Math.abs(mean - expected)).toBeLessThan(2 * error)
  },
)
