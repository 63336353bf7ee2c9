/**
 * A scenario out of a recording: the same pull requests, at the same instants, with what was found
 * out about them taken for the truth. So a setting can be tried on a day that has been.
 *
 * - Each submission is a pull request of its own, since what comes again is mostly another content:
 *   number 7 submitted again is 1007, then 2007.
 * - One that FAILED by its tests breaks, and nobody else does.
 * - A run that failed although nothing in it breaks has flaked: as many of the runs, any of them.
 * - Runs that were lost are lost as often, and runs last as long, half of them and 95 % of them.
 * - What people did, they do again at the same instant, where there is anything to do.
 */

import { distributionOf } from '../result/distribution.ts'
import { checkScenario } from '../scenario/load.ts'
import type { PullRequestEntry, Scenario, Suite } from '../scenario/scenario.ts'
import { toMinutes } from '../time.ts'
import { eventOf, type Numbering } from './events.ts'
import type { Recording } from './recording.ts'
import { scenarioNameOf, settingsAt } from './watch.ts'
import type { EndedRun, Submission, Witness } from './witness.ts'

/** `overridden` are settings of the queue that changes on the way shall not touch. */
export function scenarioOf(
  recording: Recording,
  { submissions, told, runs }: Witness,
  overridden: ReadonlySet<string>,
): Scenario {
  const numberOf = numbering(submissions)
  const name = scenarioNameOf(recording)
  const scenario: Scenario = {
    name,
    description: `What was recorded of ${recording.name}, to be tried with other settings.`,
    queue: settingsAt(recording.begin),
    suite: suiteOf(runs),
    pullRequests: submissions.map((each) => entryOf(each, numberOf(each))),
    suiteFlakes: { perRun: flakeRateOf(runs) },
    events: told.flatMap((each) => eventOf(each, numberOf, overridden) ?? []),
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

function suiteOf(runs: readonly EndedRun[]): Suite {
  const lengths = runs
    .filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')
    .map(({ lengthMs }) => lengthMs)
  const { p50, p95 } = distributionOf(lengths)
  if (p50 === null || p95 === null) return {}
  return { minutes: p50 > 0 && p95 > p50 ? { median: p50, p95 } : p50 }
}

/** Of the runs that had nothing in them that breaks, how many failed. */
function flakeRateOf(runs: readonly EndedRun[]): number {
  const verdicts = runs.filter(({ outcome, held }) => {
    return outcome !== 'errored' && !held.some(({ breaks }) => breaks)
  })
  return rate(verdicts, ({ outcome }) => outcome !== 'passed')
}

function rate<Each>(all: readonly Each[], is: (each: Each) => boolean): number {
  return all.length === 0 ? 0 : all.filter(is).length / all.length
}
