/** Hunts one defect with swarm scenarios: which property detects it, and after how many seeds. */

import type { EngineParts } from '../../engine/index.ts'
import { failuresOf, type Failure } from '../judge/verdict.ts'
import { properties } from '../properties/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { firstFailure } from '../shrink/breakage.ts'
import { shrink } from '../shrink/shrink.ts'
import { simulate } from '../run/simulate.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import type { Defect } from './defect.ts'

export type HuntOptions = {
  /** The last seed, unless a property detects the defect earlier. */
  readonly seedsAtMost: number
  /** All seeds up to this one run, so that other properties can detect the defect, too. */
  readonly seedsForOthers: number
}

type Detection = {
  /** The property that reported first. */
  readonly property: string
  /** The number of seeds up to the detection. */
  readonly seeds: number
  /** The smallest scenario found that fails in the same way; it holds with the correct engine. */
  readonly scenario: Scenario
  readonly story: string
}

export type Hunt = {
  readonly defect: string
  readonly caught: Detection | null
  /** For each run with a detection: all properties that detected the defect. */
  readonly detections: readonly (readonly string[])[]
}

/** Hunts the defect. Failures that the correct engine shows on the same seed do not count. */
export function hunt({ name, parts }: Defect, options: HuntOptions): Hunt {
  const { seedsAtMost, seedsForOthers } = options
  const detections: string[][] = []
  let caught: Detection | null = null
  for (let seed = 1; seed <= seedsAtMost; seed++) {
    if (caught && seed > seedsForOthers) break
    const scenario = swarmScenario(seed)
    const failures = breakages(scenario, parts)
    if (failures.length === 0) continue
    const excused = new Set(breakages(scenario).map((failure) => failure.name))
    const seen = failures.filter((failure) => !excused.has(failure.name))
    const names = new Set(seen.map((failure) => failure.name))
    if (names.size > 0) detections.push([...names])
    const first = firstFailure(seen)
    if (first && !caught) caught = caughtIn(scenario, first, parts, seed)
  }
  return { defect: name, caught, detections }
}

/** Runs the scenario, checks every property, and returns the failures. */
export function breakages(scenario: Scenario, parts?: EngineParts): Failure[] {
  const outcome = simulate(scenario, {
    properties,
    isUnhashed: true,
    ...(parts ? { parts } : {}),
  })
  return failuresOf({ outcome, expectations: [] }, null)
}

function caughtIn(
  scenario: Scenario,
  failure: Failure,
  parts: EngineParts,
  seeds: number,
): Detection {
  const shrunk = shrink(scenario, failure, { parts, isExcused: isExcusedIn(failure) })
  const smallest = shrunk?.scenario ?? scenario
  return {
    property: failure.name,
    seeds,
    scenario: smallest,
    story: storyOf(shrunk?.failure ?? failure),
  }
}

/** A scenario that also fails with the correct engine shows nothing about the defect. */
const isExcusedIn =
  ({ name }: Failure) =>
  (scenario: Scenario): boolean =>
    breakages(scenario).some((failure) => failure.name === name)

function storyOf(failure: Failure): string {
  return failure.kind === 'property' ? failure.violation.story : ''
}
