/** What a recording tells of flakes, compared with the truth that the simulator knows. Rule: S-400. */

import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { TestRunId } from '../../engine/index.ts'
import { newQueueOf } from '../run/engine-under-test.ts'
import { simulate } from '../run/simulate.ts'
import { loadScenario } from '../scenario/load.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { applySettings } from '../scenario/settings.ts'
import { scenarioOf, type UnnamedScenario } from '../testing/simulated.ts'
import { RecordedFlakes } from './flakes.ts'

/** The flakes that are found in the events of a run, and the true ones. */
function flakesIn(scenario: Scenario): Record<'found' | 'true', TestRunId[]> {
  const recorded = new RecordedFlakes(newQueueOf(scenario))
  const flakes: TestRunId[] = []
  simulate(scenario, {
    observers: [
      ({ isFlake }) =>
        ({ events }) => {
          for (const event of events) {
            recorded.read(event)
            const isFailed = event.type === 'testRunFinished' && event.outcome === 'failed'
            if (isFailed && isFlake(event.testRun)) flakes.push(event.testRun)
          }
        },
    ],
  })
  return { found: [...recorded.found()].sort((a, b) => a - b), true: flakes }
}

const again = { at: 30, do: 'submit', number: 1 } as const
const flaky = { number: 1, flakyRuns: [1], testMinutes: 20, sha: 'a' }

test.each<[string, UnnamedScenario, TestRunId[]]>([
  [
    'if a run passed on top of what it tested, also if that has FAILED',
    { queue: { concurrency: 2 }, pullRequests: [flaky, { number: 2 }] },
    [1],
  ],
  [
    'if the same commit was submitted again, and passed',
    { pullRequests: [flaky], events: [{ ...again, sha: 'a' }] },
    [1],
  ],
  [
    'but not if it was another commit',
    { pullRequests: [flaky], events: [{ ...again, sha: 'b' }] },
    [],
  ],
  [
    'but not if the run that passed had not what it clashes with',
    {
      queue: { concurrency: 2 },
      pullRequests: [
        { number: 1, testMinutes: 30 },
        { number: 2, breaksWith: [1] },
      ],
      events: [{ at: 20, do: 'cancel', number: 1 }],
    },
    [],
  ],
  [
    'but not if somebody has pushed to the branch in between',
    {
      pullRequests: [{ number: 1, sha: 'a' }],
      events: [
        { at: 0, do: 'pushToBranch', breaks: ['a'] },
        { at: 20, do: 'pushToBranch', mends: true },
        { ...again, sha: 'a' },
      ],
    },
    [],
  ],
])('a run that failed is a flake %s', (_when, unnamed, found) => {
  expect(flakesIn(scenarioOf({ suite: { minutes: 10 }, ...unnamed })).found).toEqual(found)
})

test.each(['documented', 'adaptive'])(
  'most flakes of a queue with the %s policy are found, and nothing else',
  (policy) => {
    const file = fileURLToPath(new URL('../../../scenarios/startup-monorepo.json', import.meta.url))
    const settings = [`queue.policy=${policy}`, 'suiteFlakes={"perRun":0.25}']
    const flakes = flakesIn(applySettings(loadScenario(file), settings))
    expect(flakes.true).toEqual(expect.arrayContaining(flakes.found))
    expect(flakes.found.length / flakes.true.length).toBeGreaterThan(0.7)
  },
)
