/** Properties that compare the engine with something else, so that each costs a part of a run. */

import { agreesWithTheModel } from './agrees-with-the-model.ts'
import type { Property } from '../observe/property.ts'
import { relations } from '../relations/index.ts'

/** The relations and the model. */
export const comparisons: readonly Property[] = [...relations, agreesWithTheModel]
