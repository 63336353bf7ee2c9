/**
 * Other seeds for smaller scenarios. Draws are keyed by the contents of a run. So a scenario with
 * draws may stop failing only because, with one pull request removed, other runs are hit. Then
 * other seeds are tried: a new failure of the smaller scenario is as good as the old one.
 */

import type { Scenario } from '../scenario/scenario.ts'
import type { Pass } from './pass.ts'

const otherSeeds = [1, 2, 3, 4, 5, 6] as const

/** Returns the pass, extended to try other seeds for each of its candidates. */
export function withOtherSeeds(pass: Pass): Pass {
  return function* reseeding(scenario) {
    let { seed } = scenario
    const withSeed = (offered: Scenario, wanted: number | undefined): Scenario => {
      const isSame = wanted === undefined || wanted === offered.seed
      return isSame || !hasDraws(offered) ? offered : { ...offered, seed: wanted }
    }
    const passRun = pass(scenario)
    let step = passRun.next()
    while (step.done !== true) {
      const offered = step.value
      let breaks = yield withSeed(offered, seed)
      for (const other of hasDraws(offered) ? otherSeeds : []) {
        if (breaks) break
        breaks = yield withSeed(offered, other)
        if (breaks) seed = other
      }
      step = passRun.next(breaks)
    }
    return withSeed(step.value, seed)
  }
}

/** Returns whether anything in the scenario is drawn. */
function hasDraws({ suite, traffic, suiteFlakes, faults = {}, ...rest }: Scenario): boolean {
  const { pullRequests = [], tieOrder } = rest
  return (
    typeof suite?.minutes === 'object' ||
    traffic !== undefined ||
    suiteFlakes !== undefined ||
    tieOrder === 'shuffled' ||
    Object.entries(faults).some(([key, value]) => key.endsWith('Rate') && value !== 1) ||
    (faults.lateResultMinutes ?? 0) > 0 ||
    pullRequests.some(({ flakeRate = 0 }) => flakeRate > 0)
  )
}
