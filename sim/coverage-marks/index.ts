/** The situations that a campaign of the swarm must meet, and what detects them. */

import type { Step } from '../steps/step.ts'
import type { StepReader } from '../observe/run-context.ts'
import { bisectionMarks, failureMarks } from './bisections.ts'
import { disturbanceMarks, hostingMarks, operationMarks } from './disturbances.ts'
import { lineMarks } from './line.ts'
import type { CoverageMarks } from './coverage-mark.ts'

const catalogue: CoverageMarks = {
  ...bisectionMarks,
  ...failureMarks,
  ...lineMarks,
  ...disturbanceMarks,
  ...hostingMarks,
  ...operationMarks,
}

export const coverageMarks = Object.entries(catalogue).map(([name, [sentence, watch]]) => ({
  name,
  sentence,
  watch,
}))

export const coverageMarkNames: readonly string[] = Object.keys(catalogue)

/** Records which marks a run reaches. Pass `observer` to the run. */
export class CoverageRecorder {
  readonly #reached = new Set<string>()
  #open = coverageMarks.map(({ name, watch }) => ({ name, spots: watch() }))

  readonly observer = (): StepReader => (step) => this.#record(step)

  /** The reached marks, in the order of the table. */
  get reached(): string[] {
    return coverageMarkNames.filter((name) => this.#reached.has(name))
  }

  /** A mark that has been met is not looked for any more. */
  #record(step: Step): void {
    const found = this.#open.filter(({ spots }) => spots(step))
    if (found.length === 0) return
    for (const { name } of found) this.#reached.add(name)
    this.#open = this.#open.filter(({ name }) => !this.#reached.has(name))
  }
}
