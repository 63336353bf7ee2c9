/** The catalogue of defects. */

import { bisectingDefects } from './bisecting.ts'
import { blamingDefects } from './blaming.ts'
import { composingDefects } from './composing.ts'
import { convictingDefects } from './convicting.ts'
import type { Defect } from './defect.ts'
import { growingDefects } from './growing.ts'
import { hostingDefects } from './hosting.ts'
import { holdingDefects } from './holding.ts'
import { judgingDefects } from './judging.ts'
import { mergingDefects } from './merging.ts'
import { quarantiningDefects } from './quarantining.ts'
import { rememberingDefects } from './remembering.ts'
import { speculatingDefects } from './speculating.ts'
import { stackingDefects } from './stacking.ts'
import { startingDefects } from './starting.ts'
import { tooEarlyOrNeverDefects } from './too-early-or-never.ts'

export const defects: readonly Defect[] = [
  ...startingDefects,
  ...growingDefects,
  ...composingDefects,
  ...judgingDefects,
  ...holdingDefects,
  ...speculatingDefects,
  ...bisectingDefects,
  ...convictingDefects,
  ...blamingDefects,
  ...mergingDefects,
  ...hostingDefects,
  ...tooEarlyOrNeverDefects,
  ...rememberingDefects,
  ...stackingDefects,
  ...quarantiningDefects,
]

/** Defects without an observable effect, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {}
