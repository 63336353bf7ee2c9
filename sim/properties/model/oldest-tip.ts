import type { Bisections } from './bisections.ts'
import type { Line } from './line.ts'
import type { TargetBranch } from './target-branch.ts'
import type { TestRuns } from './test-runs.ts'

type Books = {
  readonly branch: TargetBranch
  readonly line: Line
  readonly runs: TestRuns
  readonly bisections: Bisections
}

/** The oldest tip that is still spoken of, by verdicts that stand, runs and pinned bisections. */
export function oldestTip({ branch, line, runs, bisections }: Books): number {
  let oldest = branch.number
  for (const { run } of line.groups) oldest = Math.min(oldest, run?.tip ?? oldest)
  for (const { run } of runs.underWay.values()) oldest = Math.min(oldest, run.tip)
  for (const { id, tip } of bisections.all.values()) {
    oldest = Math.min(oldest, tip)
    for (const { run } of runs.ofBisection(id)) oldest = Math.min(oldest, run.tip)
  }
  return oldest
}
