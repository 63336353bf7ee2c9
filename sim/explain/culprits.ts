/** The pull requests that make a run fail. */

import type { PullRequestNumber, TestRun } from '../../engine/index.ts'
import type { RunContext } from '../observe/run-context.ts'

/** The pull requests that really make a run fail. Empty for a flake; null if the truth is unknown. */
export type Culprits = readonly PullRequestNumber[] | null

/** Returns the culprits of a run that has just started, for the case that it fails without a flake. */
export function culpritsOf(
  { knowsTruth, main }: RunContext,
  { base, tested, tip }: TestRun,
): Culprits {
  return knowsTruth ? main.culprits([...base, ...tested], tip) : null
}
