/** Hunts one defect with scenarios of the swarm: who notices it, and after how many seeds. */

import type { EngineParts } from '../../engine/index.ts'
import { judges, failuresOf, type Failure } from '../judge/verdict.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { swarmScenario } from '../swarm/swarm.ts'

/** A deliberate fault of the engine. */
export type Defect = {
  /** Short and stable, because its first seed is kept under it. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly sentence: string
  readonly parts: EngineParts
}

/** Faults by their names. */
export type Defects = Readonly<Record<string, readonly [sentence: string, parts: EngineParts]>>

export type Hunt = {
  readonly defect: string
  /** Null if nobody has noticed it. */
  readonly noticed: Notice | null
}

type Notice = {
  /** The first seed in which somebody notices it. */
  readonly seed: number
  /** Who notices it there. */
  readonly by: readonly string[]
  readonly story: string
}

export function hunt({ name, parts }: Defect, seedsAtMost: number): Hunt {
  for (let seed = 1; seed <= seedsAtMost; seed++) {
    const [first, ...others] = noticedIn(swarmScenario(seed), parts)
    if (!first) continue
    const by = [...new Set([first, ...others].map((failure) => failure.name))]
    return { defect: name, noticed: { seed, by, story: storyOf(first) } }
  }
  return { defect: name, noticed: null }
}

/** What fails with this engine, and does not with the correct one. */
export function noticedIn(scenario: Scenario, parts: EngineParts): Failure[] {
  const failures = failuresIn(scenario, parts)
  if (failures.length === 0) return []
  const excused = new Set(failuresIn(scenario).map(({ name }) => name))
  return failures.filter(({ name }) => !excused.has(name))
}

function failuresIn(scenario: Scenario, parts?: EngineParts): Failure[] {
  const outcome = simulate(scenario, {
    properties: judges,
    isUnhashed: true,
    ...(parts ? { parts } : {}),
  })
  return failuresOf({ outcome, expectations: [] }, null)
}

function storyOf(failure: Failure): string {
  return failure.kind === 'property' ? failure.violation.story : ''
}
