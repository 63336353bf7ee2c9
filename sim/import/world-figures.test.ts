import { describe, expect, test } from 'vitest'
import { checkScenario } from '../scenario/check.ts'
import type { CiRun } from './ci-runs.ts'
import { imported } from './imported.ts'

const dayMs = 24 * 60 * 60_000

/** Runs of one day each from Thursday, 1 January 1970 on. */
const runsOf = (count: number, outcome: CiRun['outcome'], minutes: number): CiRun[] =>
  Array.from({ length: count }, (_, index) => {
    return { startedAtMs: index * dayMs, minutes, outcome, commit: null }
  })

const scenarioOf = (runs: readonly CiRun[]) =>
  checkScenario(imported({ name: 'x', log: null, runs, junit: null, busier: 1, minutes: 10 }), 'x')

// S-275
describe('given a history of runs', () => {
  const runs = [...runsOf(70, 'passed', 20), ...runsOf(35, 'failed', 6)]

  test('whose failing runs end early, the scenario has runs that fail early', () => {
    const { suite, measured = [], pullRequests = [] } = scenarioOf(runs)
    expect(suite).toEqual({ minutes: { median: 20, p95: 20 }, minutesFailing: 0.3 })
    expect(measured[1]).toEqual({
      what: 'failing runs',
      value: '0.3 times as long as passing ones, in the median',
      samples: '35 runs that failed, 70 that passed',
    })
    // A run of one that breaks takes 0.3 of its length, which is what was measured.
    expect(new Set(pullRequests.map(({ testMinutes }) => testMinutes))).toEqual(new Set([20]))
  })

  test('with too few failing ones, that is an assumption, with its option', () => {
    const { suite, assumed = [] } = scenarioOf(runs.slice(0, 99))
    expect(suite).not.toHaveProperty('minutesFailing')
    expect(assumed.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['failing runs', 'clashes', 'age of the base', 'waits for a runner']),
    )
    const replace = assumed.find(({ what }) => what === 'failing runs')?.replace
    expect(replace).toBe('--set suite.minutesFailing=<ratio>')
  })

  test('the weekdays are measured', () => {
    const { measured = [] } = scenarioOf(runsOf(14, 'passed', 20))
    expect(measured.find(({ what }) => what === 'weekdays')?.value).toMatch(/^Mon 14 %, Tue 14 %/)
  })
})
