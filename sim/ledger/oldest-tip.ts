import type { Bisections } from './bisections.ts'
import type { Line } from './line.ts'
import type { TargetBranch } from './target-branch.ts'
import type { TestRunsProjection } from './test-runs.ts'

type Parts = {
  readonly branch: TargetBranch
  readonly line: Line
  readonly runs: TestRunsProjection
  readonly bisections: Bisections
}

/** The oldest tip that verdicts in force, runs or bisections under way still refer to. */
export function oldestTip({ branch, line, runs, bisections }: Parts): number {
  let oldest = branch.number
  for (const { run } of line.groups) oldest = Math.min(oldest, run?.tip ?? oldest)
  for (const { run } of runs.underWay.values()) oldest = Math.min(oldest, run.tip)
  for (const { id, tip } of bisections.all.values()) {
    oldest = Math.min(oldest, tip)
    for (const { run } of runs.ofBisection(id)) oldest = Math.min(oldest, run.tip)
  }
  return oldest
}
