/** Hunting one defect through the swarm: which property sees it, and how soon. */

import type { Parts } from '../../engine/index.ts'
import { failuresOf, type Failure } from '../command-line/verdict.ts'
import { properties } from '../properties/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { firstFailure } from '../shrink/breakage.ts'
import { shrink } from '../shrink/shrink.ts'
import { simulate } from '../simulate.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import type { Defect } from './defect.ts'

export type HuntWish = {
  /** Seeds 1 to this at most until somebody sees it. */
  readonly seedsAtMost: number
  /** Seeds 1 to this at least, so that others get a chance to see it, too. */
  readonly seedsForOthers: number
}

type Catch = {
  /** The property that spoke up first. */
  readonly property: string
  /** How many seeds it took. */
  readonly seeds: number
  /** The smallest scenario found that breaks the same way; it holds for the sound engine. */
  readonly scenario: Scenario
  readonly story: string
}

export type Hunt = {
  readonly defect: string
  readonly caught: Catch | null
  /** For each run in which anybody saw it: all who did. */
  readonly sightings: readonly (readonly string[])[]
}

/** Hunts the defect. What the sound engine breaks on the same seed does not count. */
export function hunt({ name, parts }: Defect, wish: HuntWish): Hunt {
  const { seedsAtMost, seedsForOthers } = wish
  const sightings: string[][] = []
  let caught: Catch | null = null
  for (let seed = 1; seed <= seedsAtMost; seed++) {
    if (caught && seed > seedsForOthers) break
    const scenario = swarmScenario(seed)
    const failures = breakages(scenario, parts)
    if (failures.length === 0) continue
    const excused = new Set(breakages(scenario).map((failure) => failure.name))
    const seen = failures.filter((failure) => !excused.has(failure.name))
    const names = new Set(seen.map((failure) => failure.name))
    if (names.size > 0) sightings.push([...names])
    const first = firstFailure(seen)
    if (first && !caught) caught = caughtIn(scenario, first, parts, seed)
  }
  return { defect: name, caught, sightings }
}

/** What breaks in the scenario, every property watching. */
export function breakages(scenario: Scenario, parts?: Parts): Failure[] {
  const outcome = simulate(scenario, {
    properties,
    isUnhashed: true,
    ...(parts ? { parts } : {}),
  })
  return failuresOf({ outcome, expectations: [] }, null)
}

function caughtIn(scenario: Scenario, failure: Failure, parts: Parts, seeds: number): Catch {
  const shrunk = shrink(scenario, failure, { parts, isExcused: isExcusedIn(failure) })
  const smallest = shrunk?.scenario ?? scenario
  return {
    property: failure.name,
    seeds,
    scenario: smallest,
    story: storyOf(shrunk?.failure ?? failure),
  }
}

/** A scenario that breaks the sound engine as well shows nothing about the defect. */
const isExcusedIn =
  ({ name }: Failure) =>
  (scenario: Scenario): boolean =>
    breakages(scenario).some((failure) => failure.name === name)

function storyOf(failure: Failure): string {
  return failure.kind === 'property' ? failure.violation.story : ''
}
