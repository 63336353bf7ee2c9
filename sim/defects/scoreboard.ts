/** What came of all hunts: who caught which defect, and which property could be done without. */

import { properties } from '../properties/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { sizeOf } from '../shrink/regression.ts'
import type { Defect } from './defect.ts'
import type { Hunt } from './hunt.ts'

type ScoreboardRow = {
  readonly defect: string
  readonly sentence: string
  /** Null: it survived. */
  readonly caught: CaughtRow | null
  /** Why it makes no difference, where it is known to make none. */
  readonly equivalent: string | null
  /** In how many runs each property saw it. */
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

/** What a property is good for. */
type Worth = {
  readonly property: string
  /** The defects that nobody else saw. */
  readonly alone: readonly string[]
  /** Others: in each run in which it spoke up, one of these did, too. Empty: in some none did. */
  readonly impliedBy: readonly string[]
  /** Runs in which it spoke up, and in which it alone did. */
  readonly runs: number
  readonly runsAlone: number
}

export type Scoreboard = {
  readonly seedsAtMost: number
  readonly defects: readonly ScoreboardRow[]
  readonly properties: readonly Worth[]
}

/** What every run checks about itself. */
const builtIn = ['engine-does-not-throw', 'keeps-moving', 'rebuilds-alike']

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

/** Defects that nobody saw although they make a difference. */
export function survivors({ defects }: Scoreboard): string[] {
  return defects
    .filter(({ caught, equivalent }) => caught === null && equivalent === null)
    .map(({ defect }) => defect)
}

/** Properties that no defect has shown to find anything. */
export function unproven(scoreboard: Scoreboard): string[] {
  return scoreboard.properties.filter(({ runs }) => runs === 0).map(({ property }) => property)
}

function rowOf({ name, sentence }: Defect, hunt: Hunt, equivalent: string | null): ScoreboardRow {
  const { caught, sightings } = hunt
  const seenBy: Record<string, number> = {}
  for (const property of sightings.flat()) seenBy[property] = (seenBy[property] ?? 0) + 1
  return {
    defect: name,
    sentence,
    caught: caught && { ...caught, ...sizeOf(caught.scenario) },
    equivalent,
    seenBy,
  }
}

function worthOf(property: string, hunts: readonly Hunt[]): Worth {
  const runs = hunts.flatMap(({ sightings }) =>
    sightings.filter((names) => names.includes(property)),
  )
  const alone = hunts.filter(
    ({ sightings }) =>
      sightings.length > 0 &&
      sightings.every(([only, ...others]) => only === property && others.length === 0),
  )
  return {
    property,
    alone: alone.map(({ defect }) => defect),
    impliedBy: coverOf(property, runs),
    runs: runs.length,
    runsAlone: runs.filter((names) => names.length === 1).length,
  }
}

/** A few others of which at least one spoke up in each of these runs; none where that is not so. */
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
