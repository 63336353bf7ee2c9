import { expect, test } from 'vitest'
import type { Millis } from '../../engine/index.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Step } from '../steps/step.ts'

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

// The means of such waits, by Pollaczek and Khinchine and by Erlang C, are among the calibrations of `bench`.
test.each([
  [1, { breakRate: 0.1 }],
  [2, {}],
  [8, {}],
])(
  'given %i slots and no batching, each run starts when a slot is free, to the millisecond (Kiefer and Wolfowitz)',
  (concurrency, more) => {
    const all = served({
      name: 'waits',
      seed: 7,
      queue: { concurrency },
      suite: { minutes: { median: 10, p95: 25 } },
      traffic: { count: 2000, arrivals: { perHour: 4.5 * concurrency }, ...more },
    })
    expect(all).toHaveLength(2000)
    const freeAt: Millis[] = Array.from({ length: concurrency }, () => 0)
    for (const { arrived, started, length } of all) {
      const slot = freeAt.indexOf(Math.min(...freeAt))
      expect(started).toBe(Math.max(arrived, freeAt[slot] ?? 0))
      freeAt[slot] = started + length
    }
    const waiting = all.filter(({ arrived, started }) => started > arrived)
    expect(waiting.length).toBeGreaterThan(200)
  },
)
