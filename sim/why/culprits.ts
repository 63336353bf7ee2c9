/** Whose fault it is that a run fails. */

import type { PullRequestNumber, TestRun } from '../../engine/index.ts'
import type { RunContext } from '../run-context.ts'

/** Who really makes it fail: nobody where it flakes, null where nobody knows. */
export type Culprits = readonly PullRequestNumber[] | null

/** Whose fault it will be if the run fails that has just been started, a flake aside. */
export function culpritsOf(
  { knowsTruth, main }: RunContext,
  { base, tested, tip }: TestRun,
): Culprits {
  return knowsTruth ? main.culprits([...base, ...tested], tip) : null
}
