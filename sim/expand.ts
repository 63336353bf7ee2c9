/**
 * A scenario with every draw about its pull requests made explicit: no traffic and no flake rates
 * any more, but each pull request, each event and each flaking run by itself. Run again, it gives
 * the same trace. Shrinking works on this form.
 *
 * Which text conflicts there are, and which run flakes, depends on how the run goes; so it is run
 * once to see. The lengths of runs and the faults stay rates: they are drawn from the same seed,
 * by the same keys.
 */

import type { Parts, TestRun } from '../engine/index.ts'
import { drawsOf } from './draw.ts'
import {
  scenarioDefaults,
  type FlakyRun,
  type PullRequestEntry,
  type Scenario,
  type ScenarioEvent,
} from './scenario/scenario.ts'
import { simulate } from './simulate.ts'
import { toMinutes } from './time.ts'
import { lengthsOf } from './world/lengths.ts'
import { arrivalsOf } from './world/traffic.ts'
import type { Fate } from './world/world.ts'

export function expand(scenario: Scenario, parts?: Parts): Scenario {
  const { traffic: _traffic, suiteFlakes: _suiteFlakes, ...rest } = scenario
  const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
  const lengths = lengthsOf(scenario.suite ?? {}, draw)
  const seen = watchRun(scenario, parts)
  const pullRequests: PullRequestEntry[] = []
  const events: ScenarioEvent[] = [...(scenario.events ?? [])]
  for (const arrival of arrivalsOf(scenario, draw)) {
    const { flakeRate: _flakeRate, flakyRuns: _flakyRuns, ...entry } = arrival.entry
    const own = entry.testMinutes === undefined ? lengths.ofPullRequest(entry.number) : undefined
    const conflictsWith = seen.conflicts.get(entry.number)
    const flakyRuns = seen.flakyRuns.get(entry.number)
    pullRequests.push({
      ...entry,
      ...(own === undefined ? {} : { testMinutes: toMinutes(own) }),
      ...(conflictsWith ? { conflictsWith } : {}),
      ...(flakyRuns ? { flakyRuns } : {}),
    })
    events.push(...arrival.events)
  }
  events.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
  return { ...rest, pullRequests, events }
}

type Seen = {
  readonly conflicts: Map<number, readonly number[]>
  readonly flakyRuns: Map<number, FlakyRun[]>
}

/** Runs the scenario and notes what only a run can tell. */
function watchRun(scenario: Scenario, parts: Parts | undefined): Seen {
  const seen: Seen = { conflicts: new Map(), flakyRuns: new Map() }
  const runs = new Map<number, number>()
  simulate(scenario, {
    isUnhashed: true,
    ...(parts ? { parts } : {}),
    onSubmission({ number, conflictsWith = [] }) {
      if (conflictsWith.length > 0) seen.conflicts.set(number, conflictsWith)
    },
    onFate(run, fate) {
      for (const number of run.tested) runs.set(number, (runs.get(number) ?? 0) + 1)
      const [first] = run.tested
      const flaky = flakyRunsOf(run, fate, runs)
      if (first === undefined || flaky.length === 0) return
      const known = seen.flakyRuns.get(first)
      if (known) known.push(...flaky)
      else seen.flakyRuns.set(first, flaky)
    },
  })
  return seen
}

/** The run as a flaky one of the first pull request that it tests; nothing when no flake shows. */
function flakyRunsOf({ tested }: TestRun, fate: Fate, runs: Map<number, number>): FlakyRun[] {
  const { flakyTests, flaked, retriedTests: retried } = fate
  const run = runs.get(tested[0] ?? 0)
  if (run === undefined) return []
  const failing = flakyTests !== null && flakyTests.length > 0 ? [{ run, tests: flakyTests }] : []
  const unnamed = failing.length === 0 && flaked ? [run] : []
  const passing = retried.length > 0 ? [{ run, tests: [], retried }] : []
  return [...failing, ...unnamed, ...passing]
}
