/** Engines with a defect of the catalogue, for the tests of properties. */

import type { EngineParts } from '../../../engine/index.ts'
import { defects } from '../../defects/index.ts'

/** Throws if the catalogue has no such defect. */
export function engineOf(name: string): EngineParts {
  const defect = defects.find((each) => each.name === name)
  if (!defect) throw new Error(`no defect is called ${name}`)
  return defect.parts
}
