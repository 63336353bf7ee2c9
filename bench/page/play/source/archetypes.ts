/** The scenario files of the archetypes, which are a part of the page. */

import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import type { ArchetypeName } from '../settings/archetype-names.ts'

const files = import.meta.glob<Scenario>(
  [
    '../../../../scenarios/{small-team,startup-monorepo,midsize-monolith,monorepo-with-hubs}.json',
    '../../../../scenarios/{slow-ci-with-roll-ups,five-hundred-an-hour,hotfix}.json',
    '../../../../scenarios/{agents-arrive,changes-that-clash}.json',
    '../../../../scenarios/{sticky-failures,flaky-storm,release-freeze,synchronised-burst}.json',
    '../../../../scenarios/{storm-then-calm,parallel-storm,mode-switches-in-a-storm}.json',
  ],
  { eager: true, import: 'default' },
)

export function archetype(name: ArchetypeName): Scenario {
  const scenario = files[`../../../../scenarios/${name}.json`]
  if (!scenario) throw new Error(`the page was built without the scenario ${name}`)
  return scenario
}
