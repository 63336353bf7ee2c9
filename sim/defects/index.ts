/** The catalogue of defects. */

import { bisectingDefects } from './bisecting.ts'
import { composingDefects } from './composing.ts'
import type { Defect } from './defect.ts'
import { holdingDefects } from './holding.ts'
import { judgingDefects } from './judging.ts'
import { mergingDefects } from './merging.ts'
import { startingDefects } from './starting.ts'

export const defects: readonly Defect[] = [
  ...startingDefects,
  ...composingDefects,
  ...judgingDefects,
  ...holdingDefects,
  ...bisectingDefects,
  ...mergingDefects,
]

/** Defects without an observable effect, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {}
