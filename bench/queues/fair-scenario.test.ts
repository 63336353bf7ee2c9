import { expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { frozenScenario } from './fair-scenario.ts'
import { strategies } from './index.ts'

const busy = scenarioOf({
  queue: { concurrency: 4 },
  traffic: { count: 60, arrivals: { perHour: 30 }, conflictRate: 0.05 },
})

test('every pull request is listed, and conflicts only with those of the hour before', () => {
  const { pullRequests = [], traffic } = frozenScenario(busy)
  expect({ count: pullRequests.length, traffic }).toEqual({ count: 60, traffic: undefined })
  const at = new Map(pullRequests.map((each) => [each.number, each.at ?? 0]))
  const distances = pullRequests.flatMap(({ number, conflictsWith = [] }) =>
    conflictsWith.map((other) => (at.get(number) ?? 0) - (at.get(other) ?? 0)),
  )
  expect(distances.length).toBeGreaterThan(20)
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...distances)).toBeLessThanOrEqual(60)
})

test('if all are healthy, a slow queue evicts the same pull requests as a fast one', () => {
  const frozen = frozenScenario(busy)
  const failed = strategies.map(({ simulate }) => simulate(frozen).failed)
  expect(new Set(failed).size).toBe(1)
  expect(failed[0]).toBeGreaterThan(10)
})

// S-243, S-270
test('clashes are listed too, with those that came up to an hour before the base', () => {
  const clashing = { ...busy, traffic: { ...busy.traffic, clashRate: 0.1, baseAge: 30 } }
  const { pullRequests = [] } = frozenScenario(clashing)
  const at = new Map(pullRequests.map((each) => [each.number, each.at ?? 0]))
  const distances = pullRequests.flatMap(({ number, clashesWith = [] }) =>
    clashesWith.map((other) => (at.get(number) ?? 0) - (at.get(other) ?? 0)),
  )
  expect(distances.length).toBeGreaterThan(40)
  expect(Math.max(...distances)).toBeLessThanOrEqual(90)
  expect(Math.max(...distances)).toBeGreaterThan(60)
  const [first] = strategies
  expect(first?.simulate(frozenScenario(clashing)).clashed).toBeGreaterThan(10)
})
