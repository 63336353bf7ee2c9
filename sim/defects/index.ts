/** The defects that the model or a property must notice. */

import type { Defect } from './alterations.ts'
import { composingDefects, stackingDefects } from './composing.ts'
import { bisectingDefects, blamingDefects, quarantiningDefects } from './convicting.ts'
import { holdingDefects, judgingDefects } from './judging.ts'
import { hostingDefects, mergingDefects } from './merging.ts'
import { adaptingDefects, startingDefects } from './starting.ts'

export type { Defect }

export const defects: readonly Defect[] = [
  ...startingDefects,
  ...adaptingDefects,
  ...composingDefects,
  ...judgingDefects,
  ...holdingDefects,
  ...bisectingDefects,
  ...blamingDefects,
  ...mergingDefects,
  ...hostingDefects,
  ...stackingDefects,
  ...quarantiningDefects,
]

/** Throws if the catalogue has no such defect. */
export function defectNamed(name: string): Defect {
  const defect = defects.find((each) => each.name === name)
  if (!defect) throw new Error(`no defect is called ${name}`)
  return defect
}
