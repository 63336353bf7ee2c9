/** Provides an engine with a known defect for tests of the soak. */

import { defectNamed, type Defect } from '../../defects/index.ts'
import type { SoakSetup } from '../soak-seed.ts'

export const plantedDefect: Defect = defectNamed('one-slot-too-many')

/** Returns a setup that tests the engine with the defect and detects every canary in 3 runs. */
export function setupWith({ name, parts }: Defect): Partial<SoakSetup> {
  return { parts, hunt: () => ({ defect: name, runs: 3, isFound: true }) }
}
