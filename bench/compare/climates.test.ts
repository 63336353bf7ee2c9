/**
 * Random climates: no load, breaks, flakes and clashes bring the proposed setting to a livelock, in which restarts
 * feed restarts.
 */

import { describe, expect, test } from 'vitest'
import { drawsOf } from '../../sim/random/draw.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { diceOf } from '../../sim/swarm/scenario-draft.ts'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { frozenScenario } from '../queues/fair-scenario.ts'
import { proposed } from './judge-place.ts'

const count = 120

/** What breaks, conflicts and clashes is drawn before any run. */
function climateOf(seed: number): Scenario {
  const dice = diceOf(drawsOf(seed))
  return frozenScenario(
    scenarioOf({
      seed,
      queue: { concurrency: dice.pick('slots', [2, 5, 10, 20]) },
      suite: { minutes: { median: 15, p95: dice.pick('p95', [20, 40, 90]) } },
      traffic: {
        count,
        arrivals: { perHour: dice.pick('per hour', [2, 5, 15, 30, 100]) },
        breakRate: dice.pick('break rate', [0, 0.03, 0.1, 0.2, 0.4]),
        clashRate: dice.pick('clash rate', [0, 0, 0.002, 0.01, 0.03]),
        baseAge: dice.pick('base age', [10, 60, 240]),
      },
      suiteFlakes: { perRun: dice.pick('flakes', [0, 0.02, 0.05, 0.15]) },
    }),
  )
}

function inHalfTheTime(scenario: Scenario): Scenario {
  const pullRequests = scenario.pullRequests?.map((each) => ({ ...each, at: (each.at ?? 0) / 2 }))
  return { ...scenario, ...(pullRequests ? { pullRequests } : {}) }
}

function measured(scenario: Scenario, queue: Scenario['queue']) {
  const set = { ...scenario, queue: { ...scenario.queue, ...queue } }
  const collector = new MeasurementCollector(set)
  const outcome = simulate(set, { observers: [collector.observer], isUnhashed: true })
  const { totals, endedAtMinutes } = collector.measure(outcome).figures
  const { merged, testMinutes } = totals
  return { merged, minutesPerMerge: testMinutes / merged, end: endedAtMinutes }
}

/** The figures of a climate one at a time, as proposed, and as proposed with all pull requests in half the time. */
function figuresIn(seed: number) {
  const scenario = climateOf(seed)
  return {
    one: measured(scenario, { concurrency: 1 }),
    found: measured(scenario, proposed),
    atTwiceTheLoad: measured(inHalfTheTime(scenario), proposed),
  }
}

describe('in 40 random climates', () => {
  const climates = Array.from({ length: 40 }, (_, index) => figuresIn(index + 1))

  test('a merge costs less than 2.5 times what it costs one at a time; 3 times if most pull requests fail', () => {
    const dear = climates.flatMap(({ one, found }, index) => {
      const most = found.merged < count / 2 ? 3 : 2.5
      const times = found.minutesPerMerge / one.minutesPerMerge
      return times < most ? [] : [`climate ${index + 1}: ${times.toFixed(2)} times`]
    })
    expect(dear).toEqual([])
  })

  test('at twice the load the same pull requests end earlier, and nowhere much later', () => {
    const ends = climates.map(
      ({ found, atTwiceTheLoad }) => [found.end, atTwiceTheLoad.end] as const,
    )
    const sums = [0, 1].map((at) => ends.reduce((sum, end) => sum + (end[at] ?? 0), 0))
    expect(sums[1]).toBeLessThan((sums[0] ?? 0) * 0.7)
    expect(ends.filter(([slow, fast]) => fast > 2 * slow)).toEqual([])
  })
})
