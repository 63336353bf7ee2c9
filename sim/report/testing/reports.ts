/** Reports of simulated runs, for tests. */

import type { EngineParts } from '../../../engine/index.ts'
import { storyOf, failuresOf, judge, judges } from '../../judge/verdict.ts'
import { runScenario, type ScenarioRun } from '../../judge/run-scenario.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { RunRecording } from '../recording/recording.ts'
import { runReport } from '../run-report.ts'

type TestReportOptions = {
  /** The parts of the engine, for example with a defect. */
  readonly parts?: EngineParts
  /** The maximum number of pull requests that the report shows individually. */
  readonly mostStories?: number
}

export type RecordedReport = ScenarioRun & { readonly recording: RunRecording }

/** Runs the scenario and records everything that a report needs. */
export function record(
  scenario: Scenario,
  { parts, mostStories }: TestReportOptions = {},
): RecordedReport {
  const recording = new RunRecording(mostStories)
  const { observer, onViolation } = recording
  const run = runScenario(scenario, {
    properties: judges,
    observers: [observer],
    onViolation,
    ...(parts ? { parts } : {}),
  })
  return { ...run, recording }
}

/** Runs the scenario and returns its report. */
export async function reportOf(
  scenario: Scenario,
  options: TestReportOptions = {},
): Promise<string> {
  const { outcome, result, recording } = record(scenario, options)
  const { expectations } = result
  const failures = judge(scenario, failuresOf({ outcome, expectations }, null)).map(storyOf)
  const origin = { kind: 'drawn', isCompared: false } as const
  const replay = `npm run sim -- ${scenario.name}.json --seed 1`
  return runReport({ scenario, result, recording, failures, origin, replay })
}
