/**
 * The result of a soak as JSON. It does not depend on the time that the soak took or on the number
 * of cores and machines, so the same seeds give the same bytes.
 */

import { missedCoverageMarks } from '../campaign/document.ts'
import type { Unseen } from '../campaign/unseen.ts'
import { firstFailure } from '../shrink/breakage.ts'
import { agreesWithTheModel } from '../judge/agrees-with-the-model.ts'
import { storyOf } from '../judge/story.ts'
import type { SeedRange } from '../random/seeds.ts'
import type { Kind } from './kinds.ts'
import type { SoakRun } from './soak-seed.ts'

export const summaryVersion = 5

export type SoakSummary = {
  /** The version of this format. */
  readonly soak: typeof summaryVersion
  /** The number of seeds. */
  readonly seeds: number
  /** The seeds as ranges, in ascending order. Adjacent ranges are joined. */
  readonly ran: readonly SeedRange[]
  readonly kinds: Readonly<Record<Kind, KindTotals>>
  /** The number of checks of each property, sorted by name. */
  readonly properties: readonly { readonly name: string; readonly checked: number }[]
  /** The number of swarm runs that reached each coverage mark. */
  readonly marks: readonly { readonly name: string; readonly runs: number }[]
  /** How much the runs of the swarm have not seen; null without such a run. */
  readonly unseen: Unseen | null
  /** How many forks the runs of the swarm had, and how many commands these had. */
  readonly forks: { readonly count: number; readonly commands: number }
  /** The planted defects, sorted by name. */
  readonly planted: readonly Planted[]
  /** The findings, sorted by seed. */
  readonly findings: readonly SoakFinding[]
}

export type KindTotals = {
  readonly seeds: number
  /** The number of scenarios that were run. */
  readonly runs: number
  readonly checks: number
  readonly findings: number
}

export type Planted = {
  readonly defect: string
  /** How often the defect was planted, and how often a property detected it. */
  readonly planted: number
  readonly found: number
}

/** A seed that failed or in which no property detected the planted defect. */
export type SoakFinding = {
  readonly seed: number
  readonly kind: Kind
  /** The name of the first failure, or of the defect. */
  readonly name: string
  readonly story: string
  /** The command that reproduces the finding. */
  readonly replay: string
}

/** Returns the finding of a seed, or null if everything holds. */
export function findingOf(run: SoakRun): SoakFinding | null {
  const { seed, kind, failed, forked, hunted } = run
  const replay = `npm run soak -- --seed ${seed}`
  if (hunted && !hunted.isFound) {
    const { defect, runs } = hunted
    const story = `No property detected the planted defect ${defect} in ${runs} runs.`
    return { seed, kind, name: defect, story, replay }
  }
  const failure = failed ? (firstFailure(failed.failures) ?? failed.failures[0]) : undefined
  if (failure) return { seed, kind, name: failure.name, story: storyOf(failure), replay }
  const story = forked?.found ?? null
  const { name } = agreesWithTheModel
  return story === null ? null : { seed, kind, name, story, replay }
}

/** Returns the marks that no run reached; empty if there were too few swarm runs to expect all. */
export function missedMarks({ kinds, marks }: SoakSummary): string[] {
  return missedCoverageMarks({ seeds: kinds.swarm.seeds, marks })
}

/** Returns whether the soak has no findings, and reached the coverage marks that are expected. */
export function holds(summary: SoakSummary): boolean {
  return summary.findings.length === 0 && missedMarks(summary).length === 0
}
