import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expand } from './expand.ts'
import { resultTexts } from '../result/write-result.ts'
import { runScenario } from '../judge/run-scenario.ts'
import { checkScenario } from '../scenario/check.ts'
import { anyScenario } from '../arbitrary/any-scenario.ts'
import { scenarioOf } from '../testing/simulated.ts'

describe('the expanded form', () => {
  test('states every draw about each pull request', () => {
    const scenario = scenarioOf({
      queue: { concurrency: 2 },
      suite: { minutes: { uniform: [4, 8] }, per: 'pullRequest' },
      pullRequests: [{ number: 3, at: 1, flakeRate: 1 }],
      traffic: {
        count: 3,
        arrivals: { everyMinutes: 2 },
        breakRate: 1,
        conflictRate: 1,
        cancelRate: 1,
        targets: { names: ['web'] },
      },
      suiteFlakes: { tests: [{ name: 'slow', rate: 1 }] },
      events: [{ at: 3, do: 'pushToBranch' }],
      faults: { lostRunRate: 0.01 },
      expect: { merged: { min: 0 } },
    })
    const expanded = expand(scenario)
    expect(Object.keys(expanded)).toEqual([
      'name',
      'queue',
      'suite',
      'pullRequests',
      'events',
      'faults',
      'expect',
    ])
    expect(expanded.pullRequests?.map(({ number }) => number)).toEqual([1001, 3, 1002, 1003])
    const [first, explicit, second] = expanded.pullRequests ?? []
    expect(first).toMatchObject({ at: 0, breaks: true, targets: ['web'] })
    expect(first?.testMinutes).toBeGreaterThanOrEqual(4)
    expect(explicit).not.toHaveProperty('flakeRate')
    expect(explicit?.flakyRuns?.[0]).toEqual({ run: 1, tests: ['slow'] })
    expect(second?.conflictsWith).toEqual([1001])
    const times = (expanded.events ?? []).map(({ at = 0 }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times).toHaveLength(4)
  })

  test('is a valid scenario with the same result, byte for byte', () => {
    fc.assert(
      fc.property(anyScenario(), (scenario) => {
        const expanded = checkScenario(expand(scenario), 'expanded')
        const before = [...resultTexts(runScenario(scenario).result)].join('')
        const after = [...resultTexts(runScenario(expanded).result)].join('')
        expect(after).toBe(before)
      }),
      { numRuns: 40 },
    )
  })

  test('does not change when it is expanded again', () => {
    fc.assert(
      fc.property(anyScenario(), (scenario) => {
        const once = expand(scenario)
        expect(expand(once)).toEqual(once)
      }),
      { numRuns: 15 },
    )
  })
})
