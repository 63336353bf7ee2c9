/**
 * Decides all that a scenario draws about arrivals before any queue runs: when each pull request
 * comes, what it breaks, and with whom it conflicts as text. In a simulation a generated pull
 * request conflicts with those that wait, so a slow queue would get more conflicts than a fast one.
 */

import type { Millis } from '../../engine/index.ts'
import { drawsOf } from '../../sim/random/draw.ts'
import {
  scenarioDefaults,
  type PullRequestEntry,
  type Scenario,
} from '../../sim/scenario/scenario.ts'
import { toMillis } from '../../sim/scenario/time.ts'
import { TextConflicts } from '../../sim/world/text-conflicts.ts'
import { arrivalsOf } from '../../sim/world/traffic.ts'

/** A change conflicts with changes that came up to an hour before it. */
export const conflictWindowMinutes = 60

/** Returns the scenario with every pull request listed, and no traffic. */
export function frozenScenario(scenario: Scenario): Scenario {
  const { traffic, pullRequests: _pullRequests, ...rest } = scenario
  const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
  const conflicts = new TextConflicts(traffic?.conflictRate ?? 0, draw)
  const generatedAt = new Map<number, Millis>()
  const pullRequests: PullRequestEntry[] = []
  for (const { at, entry, isGenerated } of arrivalsOf(scenario, draw)) {
    if (!isGenerated) {
      pullRequests.push(entry)
      continue
    }
    generatedAt.set(entry.number, at)
    const since = at - toMillis(conflictWindowMinutes)
    const conflictsWith = conflicts.of(entry.number, (other) =>
      (generatedAt.get(other) ?? -Infinity) >= since ? 'in the queue' : 'gone',
    )
    pullRequests.push(conflictsWith.length > 0 ? { ...entry, conflictsWith } : entry)
  }
  return { ...rest, pullRequests }
}
