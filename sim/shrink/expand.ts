/**
 * The expanded form of a scenario, in which every draw about its pull requests is explicit: instead
 * of traffic and flake rates it lists each pull request, each event and each flaky run. It gives
 * the same trace as the original. Shrinking works on this form.
 *
 * Text conflicts, clashes and flaky runs depend on the course of the run, so the scenario is run once to
 * observe them. Lengths of runs and faults stay rates: they are drawn from the same seed, by the
 * same keys.
 */

import type { EngineParts, TestRun } from '../../engine/index.ts'
import { drawsOf } from '../random/draw.ts'
import { relationsWithin, scenarioDefaults } from '../scenario/scenario.ts'
import type { FlakyRun, PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { toMinutes } from '../scenario/time.ts'
import { lengthsOf } from '../world/lengths.ts'
import { arrivalsOf } from '../world/traffic.ts'
import type { PlannedRun } from '../world/world.ts'

/** Returns the expanded form of a scenario. `parts` are those of an engine with a defect. */
export function expand(scenario: Scenario, parts?: EngineParts): Scenario {
  const { traffic: _traffic, suiteFlakes: _suiteFlakes, ...rest } = scenario
  const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
  const lengths = lengthsOf(scenario.suite ?? {}, draw)
  const observed = watchRun(scenario, parts)
  const pullRequests: PullRequestEntry[] = []
  const events: ScenarioEvent[] = [...(scenario.events ?? [])]
  for (const arrival of arrivalsOf(scenario, draw)) {
    const { flakeRate: _flakeRate, flakyRuns: _flakyRuns, ...entry } = arrival.entry
    const own = entry.testMinutes === undefined ? lengths.ofPullRequest(entry.number) : undefined
    const related = observed.relations.get(entry.number)
    const flakyRuns = observed.flakyRuns.get(entry.number)
    pullRequests.push({
      ...entry,
      ...(own === undefined ? {} : { testMinutes: toMinutes(own) }),
      ...related,
      ...(flakyRuns ? { flakyRuns } : {}),
    })
    events.push(...arrival.events)
  }
  events.sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
  return { ...rest, pullRequests, events }
}

type ObservedFacts = {
  readonly relations: Map<number, Partial<PullRequestEntry>>
  readonly flakyRuns: Map<number, FlakyRun[]>
}

function watchRun(scenario: Scenario, parts: EngineParts | undefined): ObservedFacts {
  const observed: ObservedFacts = { relations: new Map(), flakyRuns: new Map() }
  const runs = new Map<number, number>()
  simulate(scenario, {
    isUnhashed: true,
    ...(parts ? { parts } : {}),
    onSubmission(entry) {
      observed.relations.set(
        entry.number,
        relationsWithin(entry, (other) => other),
      )
    },
    onRunPlanned(run, planned) {
      for (const number of run.tested) runs.set(number, (runs.get(number) ?? 0) + 1)
      const [first] = run.tested
      const flaky = flakyRunsOf(run, planned, runs)
      if (first === undefined || flaky.length === 0) return
      const known = observed.flakyRuns.get(first)
      if (known) known.push(...flaky)
      else observed.flakyRuns.set(first, flaky)
    },
  })
  return observed
}

/** The run as a flaky run of the first pull request that it tests; empty if no flake occurs. */
function flakyRunsOf(
  { tested }: TestRun,
  planned: PlannedRun,
  runs: Map<number, number>,
): FlakyRun[] {
  const { flakyTests, flaked, retriedTests: retried } = planned
  const run = runs.get(tested[0] ?? 0)
  if (run === undefined) return []
  const failing = flakyTests !== null && flakyTests.length > 0 ? [{ run, tests: flakyTests }] : []
  const unnamed = failing.length === 0 && flaked ? [run] : []
  const passing = retried.length > 0 ? [{ run, tests: [], retried }] : []
  return [...failing, ...unnamed, ...passing]
}
