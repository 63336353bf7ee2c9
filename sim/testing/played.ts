/** Scenarios in tests: written down short, checked like files, and run to the end. */

import type { ResultDocument } from '../result/result-document.ts'
import { resultDocument } from '../result/write-result.ts'
import type { SimulateOptions } from '../run-context.ts'
import { runScenario } from '../run-scenario.ts'
import { checkScenario } from '../scenario/load.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** A scenario that need not give itself a name. */
export type Sketch = Omit<Scenario, 'name'>

export function scenarioOf(sketch: Sketch): Scenario {
  return checkScenario({ name: 'sketch', ...sketch }, 'sketch')
}

/** Runs it, and answers the whole result document. */
export function played(sketch: Sketch, options: SimulateOptions = {}): ResultDocument {
  return resultDocument(runScenario(scenarioOf(sketch), options).result)
}

/** Pull requests 1 to `count`, all submitted at the start. */
export function pullRequests(count: number): { number: number }[] {
  return Array.from({ length: count }, (_, index) => ({ number: index + 1 }))
}

/** How each pull request ended, by number. */
export function endsOf({ pullRequests: all }: ResultDocument): Record<number, string> {
  return Object.fromEntries(all.map(({ number, state }) => [number, state]))
}

/** The names of the properties that were violated. */
export function violated({ properties }: ResultDocument): string[] {
  return properties.filter(({ violations }) => violations.length > 0).map(({ name }) => name)
}
