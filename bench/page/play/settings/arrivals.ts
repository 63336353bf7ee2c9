/** How often pull requests are submitted, as one number; the pattern in time is kept. */

import {
  scenarioDefaults,
  type Arrivals,
  type Scenario,
} from '../../../../sim/scenario/scenario.ts'

/** Pull requests an hour, in the mean; null if the scenario lists each of them. */
export function arrivalsPerHour({ traffic }: Scenario): number | null {
  if (!traffic) return null
  return rounded(meanOf(traffic.arrivals ?? scenarioDefaults.arrivals))
}

/** The same pattern with another mean. */
export function withArrivals(scenario: Scenario, perHour: number): Scenario {
  const arrivals = scenario.traffic?.arrivals ?? scenarioDefaults.arrivals
  return {
    ...scenario,
    traffic: { ...scenario.traffic, arrivals: scaled(arrivals, perHour) },
  }
}

function meanOf(arrivals: Arrivals): number {
  if ('everyMinutes' in arrivals) return 60 / arrivals.everyMinutes
  if ('bursts' in arrivals) return (60 * arrivals.bursts.size) / arrivals.bursts.everyMinutes
  const { perHour } = arrivals
  if (typeof perHour === 'number') return perHour
  return perHour.reduce((sum, each) => sum + each, 0) / perHour.length
}

function scaled(arrivals: Arrivals, to: number): Arrivals {
  if ('everyMinutes' in arrivals) return { everyMinutes: rounded(60 / to) }
  if ('bursts' in arrivals) {
    const { size } = arrivals.bursts
    return { bursts: { size, everyMinutes: rounded((60 * size) / to) } }
  }
  if (typeof arrivals.perHour === 'number') return { perHour: to }
  const factor = to / meanOf(arrivals)
  return { perHour: arrivals.perHour.map((each) => rounded(each * factor)) }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
