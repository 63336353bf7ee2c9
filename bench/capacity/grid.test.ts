import { describe, expect, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { meanOf } from '../../sim/statistics/interval.ts'
import { capacityWorker } from './capacity-worker.ts'
import { perHourOf } from './load.ts'

const seeds = [901, 902, 903]
const limitMinutes = 480

/** The p95 to land of a stream, over the seeds. */
function p95Of(scenario: Scenario, load: number, count: number): number {
  const traffic = {
    ...scenario.traffic,
    count,
    arrivals: { perHour: load * perHourOf(scenario) },
  }
  const each = seeds.map((seed) => {
    const loaded = { ...scenario, seed, traffic }
    const collector = new MeasurementCollector(loaded)
    const outcome = simulate(loaded, { observers: [collector.observer], isUnhashed: true })
    return collector.measure(outcome).figures.timeToLandMinutes.p95 ?? Infinity
  })
  return meanOf(each)
}

/** Without a trend, as many as four times the pull requests wait no longer. */
const alike = 1.25

function keepsUp(scenario: Scenario, load: number): boolean {
  const [few, many] = [p95Of(scenario, load, 1000), p95Of(scenario, load, 4000)]
  return many <= alike * few && many <= limitMinutes
}

/** Four loads in each octave, from a sixteenth of today's to sixteen times. */
const grid = Array.from({ length: 33 }, (_, index) => 2 ** (index / 4 - 4))

/** One load on each side at least; farther from the limit nobody doubts the answer. */
const near = 1.25

/** Which loads on both sides of the limit keep up, as brute force finds, and as they must if capacity is right. */
function besideTheLimitOf(name: string) {
  const scenario = loadScenario(`scenarios/${name}.json`)
  const answers = seeds.map((seed) =>
    capacityWorker({
      scenario,
      changes: [],
      seed,
      limitMinutes,
      eventsAtMost: Infinity,
      eventsInAll: Infinity,
    }),
  )
  const low = Math.min(...answers.map((answer) => answer.low ?? NaN))
  const high = Math.max(...answers.map((answer) => answer.high ?? NaN))
  const below = grid.filter((load) => load > low / near && load < low)
  const above = grid.filter((load) => load > high && load < high * near)
  const found = [...below, ...above].map((load) => [load, keepsUp(scenario, load)])
  const expected = [...below.map((load) => [load, true]), ...above.map((load) => [load, false])]
  return { hasBoth: below.length * above.length > 0, found, expected }
}

// S-330, S-332
describe('brute force finds the limit where capacity says that it is', () => {
  test('of small-team', () => {
    const { hasBoth, found, expected } = besideTheLimitOf('small-team')
    expect(hasBoth).toBe(true)
    expect(found).toEqual(expected)
  })

  test.each(['startup-monorepo', 'midsize-monolith'])('of %s', matrix, (name) => {
    const { hasBoth, found, expected } = besideTheLimitOf(name)
    expect(hasBoth).toBe(true)
    expect(found).toEqual(expected)
  })
})
