/** A simulated run as a list of commands: what a real server is to repeat with real git and real tests. */

import type { Command, Event, TestRun, TestRunId } from '../../engine/index.ts'
import { runScenario } from '../../sim/judge/run-scenario.ts'
import type { PullRequestEntry, Scenario } from '../../sim/scenario/scenario.ts'
import type { PlannedRun } from '../../sim/world/world.ts'

export type RecordedStep = { readonly command: Command; readonly events: readonly Event[] }

export type RecordedRun = {
  readonly scenario: Scenario
  /** All pull requests, also generated ones, in the order of their first submission. */
  readonly entries: readonly PullRequestEntry[]
  readonly steps: readonly RecordedStep[]
  readonly plans: ReadonlyMap<TestRunId, PlannedRun>
  /** Merged commits whose exact tree no run had passed. */
  readonly unproven: number
}

/** What only a simulated world can do at an instant: pushes past the queue, and what a server forgets. */
const outOfReach: ReadonlySet<string> = new Set(['pushToBranch', 'manualMerge', 'forget'])

/** Simulates the scenario as git can carry it out: groups land whole, the build finds conflicts. */
export function recordRun({ faults: _faults, ...scenario }: Scenario): RecordedRun {
  const events = (scenario.events ?? []).filter((event) => !outOfReach.has(event.do))
  const codeHost = { landsGroups: true, conflictsFoundByBuild: true }
  const played: Scenario = { ...scenario, events, codeHost, tieOrder: 'submission' }
  const entries: PullRequestEntry[] = []
  const steps: RecordedStep[] = []
  const plans = new Map<TestRunId, PlannedRun>()
  const { result } = runScenario(played, {
    isUnhashed: true,
    onSubmission: (entry) => entries.push(entry),
    onRunPlanned: ({ id }: TestRun, planned) => plans.set(id, planned),
    observers: [
      () =>
        ({ command, events: told }) =>
          steps.push({ command, events: [...told] }),
    ],
  })
  const { batchMiddle, optimistic, disjointTargets, direct } = result.figures.totals.unprovenMerges
  const unproven = batchMiddle + optimistic + disjointTargets + direct
  return { scenario: played, entries, steps, plans, unproven }
}
