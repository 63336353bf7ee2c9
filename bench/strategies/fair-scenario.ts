/** Reduces a scenario to what every strategy supports, so that all get the same input. */

import type { PullRequestEntry, Scenario } from '../../sim/scenario/scenario.ts'

/** Long enough that no run times out: the other strategies have no timeout. */
const noTimeoutMinutes = 1e6

export type FairScenario = {
  readonly scenario: Scenario
  /** The parts that were removed, as text; empty if none. */
  readonly leftOut: readonly string[]
}

/**
 * Returns the scenario without faults of the test runner and the code host, events, cancels,
 * pushes, priorities and direct merges. Traffic, truth, text conflicts, run lengths and flakes
 * stay.
 */
export function fairScenario(scenario: Scenario): FairScenario {
  const { faults, events, expect: _expect, mustFail: _mustFail, ...rest } = scenario
  const { traffic, pullRequests, queue } = rest
  const leftOut = [
    faults && Object.keys(faults).length > 0 ? 'faults' : null,
    events && events.length > 0 ? 'events' : null,
    ...(['cancelRate', 'pushRate', 'urgentRate', 'greenOnTipRate'] as const).map((name) =>
      (traffic?.[name] ?? 0) > 0 ? `traffic.${name}` : null,
    ),
    pullRequests?.some(({ priority }) => priority !== undefined) ? 'priorities' : null,
    pullRequests?.some(({ greenOnTip }) => greenOnTip) ? 'green on the tip' : null,
  ].filter((each) => each !== null)
  return {
    scenario: {
      ...rest,
      queue: { ...queue, testingTimeoutMinutes: noTimeoutMinutes },
      ...(traffic ? { traffic: plainTraffic(traffic) } : {}),
      ...(pullRequests ? { pullRequests: pullRequests.map(plainEntry) } : {}),
    },
    leftOut,
  }
}

function plainTraffic(traffic: NonNullable<Scenario['traffic']>): NonNullable<Scenario['traffic']> {
  return { ...traffic, cancelRate: 0, pushRate: 0, urgentRate: 0, greenOnTipRate: 0 }
}

function plainEntry(entry: PullRequestEntry): PullRequestEntry {
  const { priority: _priority, greenOnTip: _greenOnTip, ...plain } = entry
  return plain
}
