/** The results of all hunts: which property detects which defect, and which are redundant. */

import { properties } from '../properties/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { sizeOf } from '../shrink/regression.ts'
import type { Defect } from './defect.ts'
import type { Hunt } from './hunt.ts'

type ScoreboardRow = {
  readonly defect: string
  readonly sentence: string
  /** Null if no property detected it. */
  readonly caught: CaughtRow | null
  /** The reason if it is known to have no effect; else null. */
  readonly equivalent: string | null
  /** The number of runs in which each property detected it. */
  readonly seenBy: Readonly<Record<string, number>>
}

type CaughtRow = {
  readonly property: string
  readonly seeds: number
  readonly pullRequests: number
  readonly events: number
  readonly story: string
  readonly scenario: Scenario
}

/** The worth of a property: what it detects, alone or together with others. */
type PropertyWorth = {
  readonly property: string
  /** The defects that no other property detected. */
  readonly alone: readonly string[]
  /** Properties of which at least one reported in each run in which this one did; empty if none. */
  readonly impliedBy: readonly string[]
  /** The number of runs in which it reported, and in which it was the only one. */
  readonly runs: number
  readonly runsAlone: number
}

export type Scoreboard = {
  readonly seedsAtMost: number
  readonly defects: readonly ScoreboardRow[]
  readonly properties: readonly PropertyWorth[]
}

/** The checks that every run has built in. */
const builtIn = ['engine-does-not-throw', 'keeps-moving', 'rebuilds-alike']

/** Returns the scoreboard of the hunts. `equivalents` gives reasons by defect name. */
export function scoreboardOf(
  seedsAtMost: number,
  hunted: readonly Defect[],
  hunts: readonly Hunt[],
  equivalents: Readonly<Record<string, string>>,
): Scoreboard {
  const byDefect = new Map(hunts.map((each) => [each.defect, each]))
  return {
    seedsAtMost,
    defects: hunted.flatMap((defect) => {
      const found = byDefect.get(defect.name)
      return found ? [rowOf(defect, found, equivalents[defect.name] ?? null)] : []
    }),
    properties: [...builtIn, ...properties.map(({ name }) => name)].map((name) =>
      worthOf(name, hunts),
    ),
  }
}

/** Returns the defects that no property detected, although they have an effect. */
export function survivors({ defects }: Scoreboard): string[] {
  return defects
    .filter(({ caught, equivalent }) => caught === null && equivalent === null)
    .map(({ defect }) => defect)
}

/** Returns the properties that have detected no defect. */
export function unproven(scoreboard: Scoreboard): string[] {
  return scoreboard.properties.filter(({ runs }) => runs === 0).map(({ property }) => property)
}

function rowOf({ name, sentence }: Defect, hunt: Hunt, equivalent: string | null): ScoreboardRow {
  const { caught, detections } = hunt
  const seenBy: Record<string, number> = {}
  for (const property of detections.flat()) seenBy[property] = (seenBy[property] ?? 0) + 1
  return {
    defect: name,
    sentence,
    caught: caught && { ...caught, ...sizeOf(caught.scenario) },
    equivalent,
    seenBy,
  }
}

function worthOf(property: string, hunts: readonly Hunt[]): PropertyWorth {
  const runs = hunts.flatMap(({ detections }) =>
    detections.filter((names) => names.includes(property)),
  )
  const alone = hunts.filter(
    ({ detections }) =>
      detections.length > 0 &&
      detections.every(([only, ...others]) => only === property && others.length === 0),
  )
  return {
    property,
    alone: alone.map(({ defect }) => defect),
    impliedBy: coverOf(property, runs),
    runs: runs.length,
    runsAlone: runs.filter((names) => names.length === 1).length,
  }
}

/** A few other properties of which at least one reported in each of these runs; empty if none. */
function coverOf(property: string, runs: readonly (readonly string[])[]): string[] {
  const cover: string[] = []
  for (let left = runs; left.length > 0;) {
    const counts = new Map<string, number>()
    for (const name of left.flat()) {
      if (name !== property) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const [best] = [...counts].sort(([, a], [, b]) => b - a)
    if (!best) return []
    cover.push(best[0])
    left = left.filter((names) => !names.includes(best[0]))
  }
  return cover
}
