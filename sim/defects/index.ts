/** The catalogue of defects. */

import { bisectingDefects } from './bisecting.ts'
import { blamingDefects, convictingDefects, judgingDefects, rememberingDefects } from './judging.ts'
import { composingDefects } from './composing.ts'
import type { Defect, Defects } from './hunt.ts'
import { growingDefects, speculatingDefects, startingDefects } from './starting.ts'
import { hostingDefects, mergingDefects } from './merging.ts'
import { holdingDefects, tooEarlyOrNeverDefects } from './holding.ts'
import { quarantiningDefects } from './quarantining.ts'
import { stackingDefects } from './stacking.ts'

const catalogue: Defects = {
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
}

export const defects: readonly Defect[] = Object.entries(catalogue).map(
  ([name, [sentence, parts]]) => ({ name, sentence, parts }),
)

/** Throws if the catalogue has no such defect. */
export function defectNamed(name: string): Defect {
  const defect = defects.find((each) => each.name === name)
  if (!defect) throw new Error(`no defect is called ${name}`)
  return defect
}

/** Defects without an observable effect, each with the reason. */
export const equivalents: Readonly<Record<string, string>> = {}
