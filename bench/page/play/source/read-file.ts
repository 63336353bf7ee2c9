/** Reads a scenario that the reader gives. The check is large, so it is loaded with the first file. */

import type { Scenario } from '../../../../sim/scenario/scenario.ts'

export type ReadScenario =
  | { readonly scenario: Scenario; readonly faults: readonly [] }
  | { readonly scenario: null; readonly faults: readonly string[] }

/** A scenario with as many pull requests as the simulator is fast with is far smaller. */
const mostBytes = 5_000_000

/** `name` is what faults call it. */
export async function readScenario(file: Blob | string, name: string): Promise<ReadScenario> {
  if (typeof file !== 'string' && file.size > mostBytes) {
    return { scenario: null, faults: [`${name}: larger than 5 MB; use npm run sim instead`] }
  }
  const [{ parseScenario }, { BadInput }] = await Promise.all([
    import('../../../../sim/scenario/check.ts'),
    import('../../../../terminal/bad-input.ts'),
  ])
  try {
    const text = typeof file === 'string' ? file : new Uint8Array(await file.arrayBuffer())
    return { scenario: parseScenario(text, name), faults: [] }
  } catch (error) {
    if (error instanceof BadInput) return { scenario: null, faults: error.lines }
    throw error
  }
}
