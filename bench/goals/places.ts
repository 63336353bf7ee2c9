/** Where the proposed setting is judged: the archetypes, and histories at two paces. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCiRuns } from '../../sim/import/ci-runs.ts'
import { imported } from '../../sim/import/imported.ts'
import { checkScenario } from '../../sim/scenario/check.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { archetypeNames, archetypeNamed } from '../levers/archetypes.ts'

/** How many times as busy as it was a history is replayed. At its own pace it hardly needs a queue. */
const paces = [5, 20] as const

/** As many builds of a history as `sim import` takes by default: the last ones. */
const buildsAtMost = 500

/** Minutes of a run of which the history does not tell the length. */
const usualMinutes = 10

/** Returns the archetypes, and all histories (`.csv`) of the folder. Throws `BadInput`. */
export function placesOf(traces: string | null): Scenario[] {
  const archetypes = archetypeNames.map(archetypeNamed)
  return traces === null ? archetypes : [...archetypes, ...historiesIn(traces)]
}

function historiesIn(folder: string): Scenario[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'))
  return files.toSorted().flatMap((file) => {
    const runs = readCiRuns(join(folder, file), file).slice(-buildsAtMost)
    const history = { log: null, runs, junit: null, minutes: usualMinutes }
    return paces.map((busier) => {
      const name = `${file.replace(/\.csv$/, '')}, ${busier} times as busy`
      return checkScenario(imported({ ...history, name, busier }).scenario, file)
    })
  })
}
