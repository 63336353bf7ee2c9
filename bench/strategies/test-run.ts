/** A policy's run in the form that the world expects. */

import type { Millis, TestRun } from '../../engine/index.ts'
import type { PolicyRun } from './policy.ts'

/** Fields about the engine's groups do not matter to the world. */
export function testRunOf(
  { id, base, tested }: PolicyRun,
  { tip, at }: { readonly tip: number; readonly at: Millis },
): TestRun {
  return {
    id,
    owner: { kind: 'main', group: id },
    tip,
    base,
    tested,
    submissions: [],
    composition: '',
    startedAt: at,
    deadline: Infinity,
    attempt: 0,
  }
}
