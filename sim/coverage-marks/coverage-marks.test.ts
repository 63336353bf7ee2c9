import { describe, expect, test } from 'vitest'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'
import { coverageMarks, CoverageRecorder } from './index.ts'

function reachedIn(scenario: Scenario): string[] {
  const recorder = new CoverageRecorder()
  simulate(scenario, { observers: [recorder.observer] })
  return recorder.reached
}

describe('coverage marks', () => {
  test('have a sentence each', () => {
    for (const { sentence } of coverageMarks) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  test('given a run with merges only, are not reached', () => {
    expect(reachedIn(scenarioOf({ pullRequests: pullRequests(3) }))).toEqual([])
  })
})

describe('a situation reaches its mark', () => {
  test('given an engine that crashes while the code host merges, then a crash is in mid-merge', () => {
    const slow = { pullRequests: pullRequests(2), faults: { mergeMinutes: 5, crashRate: 1 } }
    expect(reachedIn(scenarioOf(slow))).toContain('crash in mid-merge')
    expect(reachedIn(scenarioOf({ ...slow, faults: { mergeMinutes: 5 } }))).not.toContain(
      'crash in mid-merge',
    )
  })

  test('given a result and a cancel, their mark is reached only if they have the same instant', () => {
    const [result, cancel] = [
      'result and cancel at one instant',
      { do: 'cancel', number: 1 },
    ] as const
    const slow = {
      pullRequests: pullRequests(1),
      faults: { mergeMinutes: 5 },
      tieOrder: 'shuffled',
    } as const
    const at = (minute: number, seed: number): string[] =>
      reachedIn(scenarioOf({ ...slow, seed, events: [{ at: minute, ...cancel }] }))
    const seeds = [1, 2, 3, 4, 5, 6]
    expect(seeds.some((seed) => at(10, seed).includes(result))).toBe(true)
    expect(seeds.some((seed) => at(11, seed).includes(result))).toBe(false)
  })
})
