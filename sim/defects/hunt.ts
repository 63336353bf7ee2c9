/** Hunts one defect with scenarios of the swarm: who notices it, and after how many seeds. */

import type { EngineParts } from '../../engine/index.ts'
import { judgedOnce } from '../judge/run-scenario.ts'
import type { Failure } from '../judge/verdict.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { defectNamed, type Defect } from './index.ts'

export type Hunt = {
  readonly defect: string
  /** The first seed in which somebody notices it, who does, and what happened. Null if nobody has noticed it. */
  readonly noticed: {
    readonly seed: number
    readonly by: readonly string[]
    readonly story: string
  } | null
}

/** Runs so many seeds from the first one on, until one shows the defect. */
export function hunt(
  { name, parts }: Pick<Defect, 'name' | 'parts'>,
  seedsAtMost: number,
  firstSeed = 1,
): Hunt {
  for (let seed = firstSeed; seed < firstSeed + seedsAtMost; seed++) {
    const [first, ...others] = noticedIn(swarmScenario(seed), parts)
    if (!first) continue
    const by = [...new Set([first, ...others].map((failure) => failure.name))]
    const story = first.kind === 'property' ? first.violation.story : ''
    return { defect: name, noticed: { seed, by, story } }
  }
  return { defect: name, noticed: null }
}

/** What fails with this engine, and does not with the correct one. */
function noticedIn(scenario: Scenario, parts: EngineParts): Failure[] {
  const { failures } = judgedOnce(scenario, { parts })
  if (failures.length === 0) return []
  const excused = new Set(judgedOnce(scenario).failures.map(({ name }) => name))
  return failures.filter(({ name }) => !excused.has(name))
}

export type HuntTask = { readonly defect: string; readonly seedsAtMost: number }

/** What a worker thread does: the pool calls it by this name. */
export function huntWorker({ defect, seedsAtMost }: HuntTask): Hunt {
  return hunt(defectNamed(defect), seedsAtMost)
}
