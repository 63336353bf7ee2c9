/** Tests of the swarm that people may put in quarantine, and when they do so later. */

import type { PullRequestEntry, ScenarioEvent } from '../scenario/scenario.ts'
import { instant, type ScenarioDraft, typicalMinutes } from './scenario-draft.ts'

/** The tests of the suite that flake by themselves. */
export const flakyTestNames = ['checkout > pays twice', 'search > finds nothing'] as const

/** The flake of scenarios in which only one test flakes. */
export const loneFlake = 'clock > strikes twelve'

/** With a test that a second try fails as well, and one that a push may break. */
export const quarantinable = [...flakyTestNames, loneFlake, 'both', 'builds'] as const

/** People put tests in quarantine, for a while or for good, and release them. */
export function quarantineEvents(draft: ScenarioDraft, busyUntil: number): ScenarioEvent[] {
  const { dice, has } = draft
  if (!has('quarantine changes')) return []
  const span = { from: 0, to: busyUntil + 60 }
  return Array.from({ length: dice.between('quarantine events', 1, 4) }, (_, nth) => {
    const test = dice.pick(`quarantine event ${nth} of`, quarantinable)
    const at = instant(draft, `quarantine event ${nth} at`, span)
    if (dice.chance(`quarantine event ${nth} releases`, 0.35)) return { at, do: 'release', test }
    const isLimited = dice.chance(`quarantine event ${nth} ends`, 0.5)
    const until = at + dice.between(`quarantine event ${nth} for`, 1, 60)
    return { at, do: 'quarantine', test, ...(isLimited ? { until } : {}) }
  })
}

/** What one breaks is in quarantine from its submission on, until its batch has failed and some of it has passed. */
export function quarantineThatRunsOut(
  { dice, has }: ScenarioDraft,
  entries: readonly PullRequestEntry[],
): ScenarioEvent[] {
  if (!has('quarantine runs out')) return []
  return entries.flatMap(({ number, at = 0, breaksTest: test }): ScenarioEvent[] => {
    if (test === undefined) return []
    const minutes = dice.between(`runs out ${number} after`, 2 * typicalMinutes, 4 * typicalMinutes)
    return [{ at, do: 'quarantine', test, until: at + minutes }]
  })
}
