/**
 * Derives a scenario from a recording (S-52): the same pull requests at the same instants. The
 * recorded outcomes are taken as the truth. So settings can be tried on recorded traffic.
 *
 * - Each submission becomes a separate pull request, because a resubmission usually has new
 *   commits: number 7 submitted again is 1007, then 2007.
 * - A pull request breaks if and only if it FAILED by its tests.
 * - A run that failed with no breaking pull request in it counts as a flake. Any run of the
 *   scenario flakes at that rate.
 * - Runs are lost at the recorded rate. Their lengths have the recorded median and 95th percentile.
 * - Actions of people come at the same instants, if they still apply.
 */

import { distributionOf } from '../result/distribution.ts'
import { checkScenario } from '../scenario/check.ts'
import type { PullRequestEntry, Scenario, Suite } from '../scenario/scenario.ts'
import { toMinutes } from '../scenario/time.ts'
import { eventOf, type Numbering } from './events.ts'
import type { Recording } from './recording.ts'
import { scenarioNameOf, settingsAt } from './check-recording.ts'
import type { RecordedRunEnd, Submission, RecordedHistory } from './recorded-history.ts'

/** Returns the scenario. Recorded changes do not touch the queue settings named in `overridden`. */
export function scenarioOf(
  recording: Recording,
  { submissions, commands, runs }: RecordedHistory,
  overridden: ReadonlySet<string>,
): Scenario {
  const numberOf = numbering(submissions)
  const name = scenarioNameOf(recording)
  const scenario: Scenario = {
    name,
    description: `Derived from the recording of ${recording.name}, to try other settings.`,
    queue: settingsAt(recording.begin),
    suite: suiteOf(runs),
    pullRequests: submissions.map((each) => entryOf(each, numberOf(each))),
    suiteFlakes: { perRun: flakeRateOf(runs) },
    events: commands.flatMap((each) => eventOf(each, numberOf, overridden) ?? []),
    faults: { lostRunRate: rate(runs, ({ outcome }) => outcome === 'errored') },
  }
  return checkScenario(JSON.parse(JSON.stringify(scenario)), name)
}

/** The first submission keeps its number; each further one has a digit in front of it. */
function numbering(submissions: readonly Submission[]): Numbering {
  const largest = submissions.reduce((most, { number }) => Math.max(most, number), 0)
  const step = 10 ** Math.max(3, String(largest).length)
  return ({ number, time }) => number + (time - 1) * step
}

function entryOf(submission: Submission, number: number): PullRequestEntry {
  const { at, priority, noBatch, targets, breaks } = submission
  return {
    number,
    at: toMinutes(at),
    ...(breaks ? { breaks } : {}),
    ...(priority === null ? {} : { priority }),
    ...(noBatch ? { noBatch } : {}),
    ...(targets === null ? {} : { targets }),
  }
}

function suiteOf(runs: readonly RecordedRunEnd[]): Suite {
  const lengths = runs
    .filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
    .map(({ lengthMs }) => lengthMs)
  const { p50, p95 } = distributionOf(lengths)
  if (p50 === null || p95 === null) return {}
  return { minutes: p50 > 0 && p95 > p50 ? { median: p50, p95 } : p50 }
}

/** The share of failed runs among those without a breaking pull request. */
function flakeRateOf(runs: readonly RecordedRunEnd[]): number {
  const verdicts = runs.filter(({ outcome, held }) => {
    return outcome !== 'errored' && !held.some(({ breaks }) => breaks)
  })
  return rate(verdicts, ({ outcome }) => outcome !== 'passed')
}

function rate<Each>(all: readonly Each[], is: (each: Each) => boolean): number {
  return all.length === 0 ? 0 : all.filter(is).length / all.length
}
