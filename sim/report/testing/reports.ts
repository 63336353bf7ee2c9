/** Reports of real runs, for tests. */

import type { Parts } from '../../../engine/index.ts'
import { storyOf } from '../../command-line/story.ts'
import { failuresOf, judge } from '../../command-line/verdict.ts'
import { properties } from '../../properties/index.ts'
import { runScenario, type ScenarioRun } from '../../run-scenario.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { Recording } from '../recording/recording.ts'
import { runReport } from '../run-report.ts'

type Wish = {
  /** The engine, with a defect perhaps. */
  readonly parts?: Parts
  /** How many pull requests are told of one by one. */
  readonly mostStories?: number
}

export type Recorded = ScenarioRun & { readonly recording: Recording }

/** Runs the scenario, and keeps what a report tells of it. */
export function record(scenario: Scenario, { parts, mostStories }: Wish = {}): Recorded {
  const recording = new Recording(mostStories)
  const { reader, onViolation } = recording
  const run = runScenario(scenario, {
    properties,
    readers: [reader],
    onViolation,
    ...(parts ? { parts } : {}),
  })
  return { ...run, recording }
}

/** The report of a run of the scenario. */
export async function reportOf(scenario: Scenario, wish: Wish = {}): Promise<string> {
  const { outcome, result, recording } = record(scenario, wish)
  const { expectations } = result
  const failures = judge(scenario, failuresOf({ outcome, expectations }, null)).map(storyOf)
  const origin = { kind: 'drawn', isCompared: false } as const
  const replay = `npm run sim -- ${scenario.name}.json --seed 1`
  return runReport({ scenario, result, recording, failures, origin, replay })
}
