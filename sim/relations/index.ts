/** Metamorphic relations: what must stay the same when something that must not matter is changed. */

import type { Property } from '../properties/property.ts'
import { lanesKeepApart } from './lanes-keep-apart.ts'
import { numbersAreNames } from './numbers-are-names.ts'
import { restartChangesNothing } from './restart.ts'
import { tiesAreFree } from './ties-are-free.ts'
import { timesShift } from './times-shift.ts'

export const relations: readonly Property[] = [
  restartChangesNothing,
  timesShift,
  numbersAreNames,
  tiesAreFree,
  lanesKeepApart,
]
