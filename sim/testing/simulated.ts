/** Scenarios in tests: short in code, checked like files, and run to the end. */

import type { Command } from '../../engine/index.ts'
import type { ResultDocument } from '../result/result-document.ts'
import { resultDocument } from '../result/write-result.ts'
import type { SimulateOptions } from '../observe/run-context.ts'
import { runScenario } from '../judge/run-scenario.ts'
import { simulate } from '../run/simulate.ts'
import { checkScenario } from '../scenario/check.ts'
import type { Scenario } from '../scenario/scenario.ts'

export type UnnamedScenario = Omit<Scenario, 'name'>

/** Returns the scenario, named `sketch` if it has no name. Throws `BadInput` if it is not valid. */
export function scenarioOf(unnamed: UnnamedScenario): Scenario {
  return checkScenario({ name: 'sketch', ...unnamed }, 'sketch')
}

/** Runs a scenario, and returns the whole result document. */
export function simulated(unnamed: UnnamedScenario, options: SimulateOptions = {}): ResultDocument {
  return resultDocument(runScenario(scenarioOf(unnamed), options).result)
}

/** Pull requests 1 to `count`, all submitted at the start. */
export function pullRequests(count: number): { number: number }[] {
  return Array.from({ length: count }, (_, index) => ({ number: index + 1 }))
}

/** The final state of each pull request, by number. */
export function endsOf({ pullRequests: all }: ResultDocument): Record<number, string> {
  return Object.fromEntries(all.map(({ number, state }) => [number, state]))
}

export function violated({ properties }: ResultDocument): string[] {
  return properties.filter(({ violations }) => violations.length > 0).map(({ name }) => name)
}

/** The commands of a run, accepted and refused. */
export function commandsOf(unnamed: UnnamedScenario): { accepted: Command[]; refused: Command[] } {
  const [accepted, refused]: [Command[], Command[]] = [[], []]
  simulate(scenarioOf(unnamed), {
    observers: [() => (step) => void accepted.push(step.command)],
    onRejection: (command) => void refused.push(command),
  })
  return { accepted, refused }
}
