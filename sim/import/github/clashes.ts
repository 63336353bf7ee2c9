/** How often the branch broke although the pull request passed by itself. */

import type { Scenario } from '../../scenario/scenario.ts'
import { lengthOf } from '../lengths.ts'
import { clashRateOf, type Clashing } from '../world-figures.ts'
import type { Content } from './contents.ts'
import type { GitHubHistory } from './history.ts'
import type { Tested } from './tested.ts'

/** Fewer merges whose own run and whose branch were tested say nothing. */
const fewestMerges = 30

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

/**
 * A pull request that passed by itself and broke the branch clashed with one that landed since its own run
 * began. If none did, it is no clash. Null if too few merges are known. Rule: S-276.
 */
export function clashingOf({ branch, contents, records, tested }: GitHubHistory): Clashing | null {
  const broke = brokeTarget(tested)
  const landings = records.pulls.flatMap(({ base, merged_at: at }) =>
    base.ref === branch && at !== null ? [Date.parse(at)] : [],
  )
  const merges = contents.flatMap((content) => {
    const fromMs = ownRunOf(content)
    const { number, merge_commit_sha: sha, merged_at: at } = content.pull
    const isBreaking = broke.get(sha ?? '')
    if (fromMs === null || isBreaking === undefined) return []
    const landedAtMs = Date.parse(at ?? '')
    const beside = landings.filter((each) => each > fromMs && each < landedAtMs).length
    const baseAge = Math.max(0, content.attempts[0].atMs - fromMs) / 60_000
    return [{ number, beside, baseAge, isClash: isBreaking && beside > 0 }]
  })
  if (merges.length < fewestMerges) return null
  return {
    merges: merges.length,
    pairs: merges.reduce((sum, { beside }) => sum + beside, 0),
    clashed: new Set(merges.flatMap(({ number, isClash }) => (isClash ? number : []))),
    baseAges: merges.map(({ baseAge }) => baseAge),
  }
}

/** When the last run of its own commits began, if it passed; a queue that tested it is another matter. */
function ownRunOf({ place, outcome, rounds, isMergedRed }: Content): number | null {
  if (place !== 'head' || outcome !== 'merged' || isMergedRed) return null
  return rounds.findLast((round) => round.outcome === 'passed')?.startedAtMs ?? null
}

/** The same rate for all pairs, because all were counted. */
export function trafficOf(
  clashing: Clashing | null,
  { hasTargets, busier }: { readonly hasTargets: boolean; readonly busier: number },
): Pick<Scenario, 'traffic'> {
  if (!clashing || clashing.clashed.size === 0) return {}
  const rate = clashRateOf(clashing)
  const baseAge = lengthOf(clashing.baseAges.map((age) => age / busier))
  const clashRate = hasTargets ? { rate, across: rate } : rate
  return { traffic: { count: 0, clashRate, ...(baseAge === null ? {} : { baseAge }) } }
}
