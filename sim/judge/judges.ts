/** What judges a run. */

import type { Property } from '../observe/property.ts'
import { properties } from '../properties/index.ts'
import { relations } from '../relations/index.ts'
import { agreesWithTheModel } from './agrees-with-the-model.ts'

/** The properties and the model: what every run is judged by that is not very long. */
export const judges: readonly Property[] = [...properties, agreesWithTheModel]

/** The model costs more with each pull request, so it is left out of longer runs (S-77). */
export function judgesOf(pullRequests: number, modelUpTo: number): readonly Property[] {
  return pullRequests <= modelUpTo ? judges : properties
}

/** And the relations, each of which costs as much as the run itself. */
export const allJudges: readonly Property[] = [...judges, ...relations]
