/**
 * Metamorphic relations (S-48): properties that compare a run with a run that was changed in a way
 * that must not matter.
 */

import type { Property } from '../observe/property.ts'
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
