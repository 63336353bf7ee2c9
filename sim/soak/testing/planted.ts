/** Provides an engine with a known defect for tests of the soak. */

import type { Defect } from '../../defects/defect.ts'
import { defects } from '../../defects/index.ts'
import type { SoakSetup } from '../soak-seed.ts'

export const plantedDefect: Defect = defectNamed('one-slot-too-many')

export function defectNamed(name: string): Defect {
  const defect = defects.find((each) => each.name === name)
  if (!defect) throw new Error(`unknown defect: ${name}`)
  return defect
}

/** Returns a setup that tests the engine with the defect and detects every canary in 3 runs. */
export function setupWith({ name, parts }: Defect): Partial<SoakSetup> {
  return { parts, hunt: () => ({ defect: name, runs: 3, isFound: true }) }
}
