/**
 * What a campaign comes to, as its JSON says it. Nothing in it depends on how many cores there
 * were or how long it took: the same seeds give the same bytes.
 */

import type { Failure } from '../command-line/verdict.ts'
import type { Aggregate, FlatFigures } from '../result/aggregate.ts'
import type { SeedRange } from './seeds.ts'

export type CampaignDocument = {
  readonly scenario: string
  /** How many runs, and their seeds as ranges: `1..40, 43`. */
  readonly seeds: number
  readonly ran: string
  readonly aggregate: Readonly<Record<string, Aggregate>>
  /** How often each property was checked. */
  readonly properties: readonly Checked[]
  /** In how many runs each situation was met; only of the swarm as it is. */
  readonly marks?: readonly Met[]
  readonly failures: readonly SeedFailures[]
}

/** One part of a campaign, with every run by itself, so that the parts can be merged. */
export type ShardDocument = CampaignDocument & {
  readonly campaign: SeedRange & { readonly settings: readonly string[] }
  readonly runs: readonly SeedFigures[]
}

type Checked = { readonly name: string; readonly checked: number }
type Met = { readonly name: string; readonly runs: number }

export type SeedFailures = {
  readonly seed: number
  readonly failures: readonly Failure[]
  /** The command that shows it again. */
  readonly replay: string
}

export type SeedFigures = {
  readonly seed: number
  readonly traceHash: string
  readonly figures: FlatFigures
}

/** So many runs of the swarm must have met every mark among them. */
const seedsForAllMarks = 1000

/** Marks that were not met, where there were runs enough to meet them all. */
export function missedMarks({ seeds, marks = [] }: CampaignDocument): string[] {
  if (seeds < seedsForAllMarks) return []
  return marks.filter(({ runs }) => runs === 0).map(({ name }) => name)
}

/** A part is not judged by marks: the whole is. */
export function holds(document: CampaignDocument, isShard: boolean): boolean {
  return document.failures.length === 0 && (isShard || missedMarks(document).length === 0)
}
