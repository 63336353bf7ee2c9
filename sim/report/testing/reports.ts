/** Reports of simulated runs, for tests. */

import type { EngineParts } from '../../../engine/index.ts'
import { defectNamed } from '../../defects/index.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { storyOf, failuresOf, judge, judges } from '../../judge/verdict.ts'
import { runScenario, type ScenarioRun } from '../../judge/run-scenario.ts'
import { RunRecording } from '../recording/recording.ts'
import { runReport } from '../run-report.ts'

// Scenarios for report tests, one for each kind of problem that a page can have.

/** A name that tries to inject code. */
export const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'&\u0000`

export const eventful: Scenario = {
  name: 'eventful',
  description: 'Batches, flakes and breaking pull requests.',
  queue: { concurrency: 3, batch: true, batchingMinSize: 4, pendingFailureDepth: 1 },
  suite: { minutes: { median: 15, p95: 40 } },
  traffic: { count: 60, arrivals: { perHour: 12 }, breakRate: 0.1, cancelRate: 0.05 },
  suiteFlakes: {
    perRun: 0.1,
    tests: [{ name: 'checkout > pays twice', rate: 0.1, retryPassRate: 0.5 }],
  },
  faults: { lostRunRate: 0.02 },
  events: [
    { at: 60, do: 'updateQueue', set: { state: 'PAUSED' } },
    { at: 75, do: 'updateQueue', set: { state: 'RUNNING' } },
    { at: 90, do: 'pushToBranch' },
  ],
  expect: { badMerged: 0 },
}

const hour = 60
const day = 24 * hour

/** A history with idle weeks. Day 21 is busy, and 1011 breaks its batch there. */
export const sparse: Scenario = {
  name: 'sparse',
  description: 'Imported from test runs.',
  assumed: [{ what: 'concurrency', value: '2 runs at a time', replace: '--set <n>' }],
  queue: { concurrency: 2, batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 5 },
  suite: { minutes: 30 },
  pullRequests: [
    ...Array.from({ length: 10 }, (_, week) => ({ number: 1001 + week, at: week * 7 * day })),
    ...Array.from({ length: 6 }, (_, index) => ({
      number: 1011 + index,
      at: 20 * day + 15 * hour + 10 * Math.floor(index / 2),
      ...(index === 0 ? { breaks: true } : {}),
    })),
  ],
}

/** For the engine `hasty`, which fails 140 while the pull requests ahead of it are under test. */
export const broken: Scenario = {
  name: 'broken',
  queue: { concurrency: 6, pendingFailureDepth: 0 },
  suite: { minutes: { uniform: [10, 30] } },
  pullRequests: Array.from({ length: 200 }, (_, index) => ({
    number: index + 1,
    at: index * 6,
    ...(index === 139 ? { breaks: true, testMinutes: 2 } : {}),
  })),
}

/** An engine that fails a pull request without waiting for its predecessors. */
export const hasty: EngineParts = defectNamed('failed-at-once').parts

type TestReportOptions = {
  /** The parts of the engine, for example with a defect. */
  readonly parts?: EngineParts
  /** The maximum number of pull requests that the report shows individually. */
  readonly mostStories?: number
}

type RecordedReport = ScenarioRun & { readonly recording: RunRecording }

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

export async function reportOf(
  scenario: Scenario,
  options: TestReportOptions = {},
): Promise<string> {
  const { outcome, result, recording } = record(scenario, options)
  const { expectations } = result
  const failures = judge(scenario, failuresOf(outcome.properties, expectations)).map(storyOf)
  const origin = { kind: 'drawn', isCompared: false } as const
  const replay = `npm run sim -- ${scenario.name}.json --seed 1`
  return runReport({ scenario, result, recording, failures, origin, replay })
}
