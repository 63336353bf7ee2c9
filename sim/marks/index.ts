/** The situations that a campaign of the swarm must meet, and who looks out for them. */

import type { Moment } from '../moment.ts'
import type { MomentReader } from '../run-context.ts'
import { bisectionMarks } from './bisections.ts'
import { disturbanceMarks } from './disturbances.ts'
import { failureMarks } from './failures.ts'
import { lineMarks } from './line.ts'
import type { Mark } from './mark.ts'
import { operationMarks } from './operations.ts'

export const marks: readonly Mark[] = [
  ...bisectionMarks,
  ...failureMarks,
  ...lineMarks,
  ...disturbanceMarks,
  ...operationMarks,
]

export const markNames: readonly string[] = marks.map(({ name }) => name)

/** Notes which marks a run meets. Give `reader` to the run. */
export class Sightings {
  readonly #met = new Set<string>()
  #open = marks.map(({ name, watch }) => ({ name, spots: watch() }))

  readonly reader = (): MomentReader => (moment) => this.#look(moment)

  /** In the order of the table. */
  get met(): string[] {
    return markNames.filter((name) => this.#met.has(name))
  }

  /** What has been met is not looked for any more. */
  #look(moment: Moment): void {
    const found = this.#open.filter(({ spots }) => spots(moment))
    if (found.length === 0) return
    for (const { name } of found) this.#met.add(name)
    this.#open = this.#open.filter(({ name }) => !this.#met.has(name))
  }
}
