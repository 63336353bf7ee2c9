/**
 * The result of a campaign as JSON. It does not depend on the number of cores or on the time that
 * the campaign took, so the same seeds give the same bytes.
 */

import type { Failure } from '../judge/verdict.ts'
import type { JudgedShare } from '../observe/findings.ts'
import type { Aggregate } from '../result/aggregate.ts'
import type { Unseen } from './unseen.ts'

export type CampaignDocument = {
  readonly scenario: string
  /** The number of runs. */
  readonly seeds: number
  /** The seeds of the runs as ranges: `1..40, 43`. */
  readonly ran: string
  readonly aggregate: Readonly<Record<string, Aggregate>>
  /** The number of events of all runs. */
  readonly events: number
  /** How much each property has judged. */
  readonly properties: readonly PropertyCount[]
  /** The number of runs that reached each mark; only for the swarm without overrides. */
  readonly marks?: readonly CoverageCount[]
  /** How much the seeds have not seen; only for the swarm without overrides. */
  readonly unseen?: Unseen
  readonly failures: readonly SeedFailures[]
}

/** What a property has judged in all runs. */
export type PropertyCount = JudgedShare & {
  /** The number of runs in which it was active at any event. */
  readonly runs: number
}

type CoverageCount = { readonly name: string; readonly runs: number }

export type SeedFailures = {
  readonly seed: number
  readonly failures: readonly Failure[]
  /** The command that reproduces the run. */
  readonly replay: string
}

/** From this number of swarm runs on, every mark must be reached. */
const seedsForFullCoverage = 1000

/** Returns the marks that no run reached; empty if there were too few runs to expect all. */
export function missedCoverageMarks({
  seeds,
  marks = [],
}: Pick<CampaignDocument, 'seeds' | 'marks'>): string[] {
  if (seeds < seedsForFullCoverage) return []
  return marks.filter(({ runs }) => runs === 0).map(({ name }) => name)
}

/** Returns whether a campaign has no failure and has reached the marks that are expected. */
export function holds(document: CampaignDocument): boolean {
  return document.failures.length === 0 && missedCoverageMarks(document).length === 0
}
