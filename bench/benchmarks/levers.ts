/**
 * What each lever costs and saves, alone and together, on every archetype at two settings. All
 * combinations get the same pull requests, run lengths and flakes.
 */

import { triedQueues } from '../levers/archetypes.ts'
import { triedInVain } from '../levers/in-vain.ts'
import { bundles, combinationsOf, levers as all } from '../levers/levers.ts'
import { runsOf, studyOf } from '../levers/study.ts'
import { summaryOf } from '../levers/summary.ts'
import type { LeverStudy } from '../measuring/lever-study.ts'
import { measured, type Benchmark } from '../measuring/measurement.ts'

const seedsOf = { full: 40, quick: 2 } as const

export const levers: Benchmark = {
  name: 'levers',
  title: 'levers against the same queue without: time to land, CI minutes, evicted, unproven',
  async measure({ isQuick, progress, signal }) {
    const seeds = isQuick ? seedsOf.quick : seedsOf.full
    const studies: LeverStudy[] = []
    for (const queue of triedQueues(isQuick)) {
      progress(`${queue.archetype}, ${queue.setting}`)
      const runs = await runsOf(queue, combinationsOf(all, bundles), { seeds, signal })
      if (signal.aborted) return measured({})
      studies.push(studyOf(queue, runs))
    }
    return measured({
      figures: summaryOf(studies),
      levers: { studies, inVain: triedInVain },
      notes: [
        'ratios to the same queue without levers: the median archetype, the least and the most',
      ],
    })
  },
}
