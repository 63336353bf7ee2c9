import { expect, test } from 'vitest'
import { simulated, pullRequests, type UnnamedScenario } from '../testing/simulated.ts'

const nothing = { restarted: 0, cancelled: 0, flakes: 0, errored: 0 }
const one = pullRequests(1)

type Case = readonly [given: string, scenario: UnnamedScenario, wasted: Partial<typeof nothing>]

const cases: readonly Case[] = [
  [
    'a bad pull request alone: nothing',
    { queue: { concurrency: 1 }, pullRequests: [{ number: 1, breaks: true }] },
    {},
  ],
  [
    'a failure below a run: the cancelled run',
    { pullRequests: [{ number: 1, breaks: true, testMinutes: 6 }, { number: 2 }] },
    { restarted: 6 },
  ],
  [
    // The first run had taken 20 minutes; the second had passed after 10.
    'a push to the branch: the verdicts that are discarded',
    {
      pullRequests: [{ number: 1, testMinutes: 30 }, { number: 2 }],
      events: [{ at: 20, do: 'pushToBranch' }],
    },
    { restarted: 30 },
  ],
  [
    'a pull request that leaves: its run',
    { pullRequests: one, events: [{ at: 4, do: 'cancel', number: 1 }] },
    { cancelled: 4 },
  ],
  ['a flake: the failed run', { pullRequests: [{ number: 1, flakyRuns: [1] }] }, { flakes: 10 }],
  [
    'a runner that loses runs: these',
    { pullRequests: one, faults: { lostRunRate: 1 } },
    { errored: 30 },
  ],
  [
    'a runner that never ends runs: these',
    { queue: { testingTimeoutMinutes: 25 }, pullRequests: one, faults: { hangRate: 1 } },
    { errored: 25 },
  ],
]

test.each(cases)('minutes are wasted, given %s', (_, scenario, wasted) => {
  expect(simulated(scenario).totals.wastedMinutes).toEqual({ ...nothing, ...wasted })
})
