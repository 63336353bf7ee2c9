/** The merges of a history from GitHub that passed by themselves, and whether the branch broke. */

import { type Clashing, clashingOf } from '../clashes.ts'
import type { Content } from './contents.ts'
import type { GitHubHistory } from './history.ts'
import type { Tested } from './tested.ts'

/** The merges after which the branch was tested, where it had passed before: whether it broke. */
export function brokeTarget(tested: readonly Tested[]): ReadonlyMap<string, boolean> {
  const broke = new Map<string, boolean>()
  let before: string | null = null
  for (const { sha, place, rounds } of tested) {
    const outcome = rounds.at(-1)?.outcome ?? 'cancelled'
    if (place !== 'target' || outcome === 'cancelled' || outcome === 'errored') continue
    if (before === 'passed') broke.set(sha, outcome === 'failed')
    before = outcome
  }
  return broke
}

/** Rule: S-276. */
export function clashingIn({ branch, contents, records, tested }: GitHubHistory): Clashing | null {
  const broke = brokeTarget(tested)
  const landings = records.pulls.flatMap(({ base, merged_at: at }) =>
    base.ref === branch && at !== null ? [Date.parse(at)] : [],
  )
  const merges = contents.flatMap((content) => {
    const fromMs = ownRunOf(content)
    const { number, merge_commit_sha: sha, merged_at: at } = content.pull
    const isBreaking = broke.get(sha ?? '')
    if (fromMs === null || isBreaking === undefined) return []
    const submittedAtMs = content.attempts[0].atMs
    return { number, fromMs, submittedAtMs, landedAtMs: Date.parse(at ?? ''), isBreaking }
  })
  return clashingOf(merges, landings)
}

/** When the last run of its own commits began, if it passed; a queue that tested it is another matter. */
function ownRunOf({ place, outcome, rounds, isMergedRed }: Content): number | null {
  if (place !== 'head' || outcome !== 'merged' || isMergedRed) return null
  return rounds.findLast((round) => round.outcome === 'passed')?.startedAtMs ?? null
}
