/** Scenarios in tests: short in code, checked like files, and run to the end. */

import type { Command } from '../../engine/index.ts'
import type { ResultDocument } from '../result/result-document.ts'
import { resultDocument } from '../result/write-result.ts'
import type { SimulateOptions } from '../observe/run-context.ts'
import { runScenario } from '../judge/run-scenario.ts'
import { simulate } from '../run/simulate.ts'
import { checkScenario } from '../scenario/check.ts'
import type { PullRequestEntry, Scenario } from '../scenario/scenario.ts'

export type UnnamedScenario = Omit<Scenario, 'name'>

/** Returns the scenario, named `sketch` if it has no name. Throws `BadInput` if it is not valid. */
export function scenarioOf(unnamed: UnnamedScenario): Scenario {
  return checkScenario({ name: 'sketch', ...unnamed }, 'sketch')
}

/** Runs a scenario, and returns the whole result document. */
export function simulated(unnamed: UnnamedScenario, options: SimulateOptions = {}): ResultDocument {
  return resultDocument(runScenario(scenarioOf(unnamed), options).result)
}

type Unnumbered = Omit<PullRequestEntry, 'number'>

/** Pull requests from number 1 on: each as given, or so many that differ in nothing. */
export function pullRequests(...each: readonly (number | Unnumbered)[]): PullRequestEntry[] {
  return each
    .flatMap((one) => (typeof one === 'number' ? Array.from({ length: one }, () => ({})) : one))
    .map((entry, index) => ({ ...entry, number: index + 1 }))
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
