/**
 * The result of a campaign as JSON. It does not depend on the number of cores or on the time that
 * the campaign took, so the same seeds give the same bytes.
 */

import type { Failure } from '../judge/verdict.ts'
import type { JudgedShare } from '../observe/findings.ts'
import type { Aggregate } from '../result/aggregate.ts'
import { count, duration, rounded, several } from '../../server/terminal/text.ts'
import { type Cell, type Table, right } from '../html/components.ts'
import { fewestForInterval } from '../statistics/interval.ts'
import type { Unseen } from './unseen.ts'

export type CampaignDocument = {
  readonly scenario: string
  /** The number of runs. */
  readonly seeds: number
  /** The seeds of the runs as ranges: `1..40, 43`. */
  readonly ran: string
  readonly aggregate: Readonly<Record<string, Aggregate>>
  readonly events: number
  /** How much each property has judged. */
  readonly properties: readonly PropertyCount[]
  /** The number of runs that reached each mark; only for the swarm without overrides. */
  readonly marks?: readonly CoverageCount[]
  /** How much the seeds have not seen; only for the swarm without overrides. */
  readonly unseen?: Unseen
  readonly failures: readonly SeedFailures[]
}

type PropertyCount = JudgedShare & {
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

/** Sums how much each property has judged (S-171). */
export class JudgedTotals {
  readonly #counts = new Map<string, PropertyCount>()

  addRun(judged: readonly JudgedShare[]): void {
    for (const { name, events, checked, leftOut } of judged) {
      const known = this.#counts.get(name)
      this.#counts.set(name, {
        name,
        runs: (known?.runs ?? 0) + (events > 0 ? 1 : 0),
        events: (known?.events ?? 0) + events,
        checked: (known?.checked ?? 0) + checked,
        leftOut: (known?.leftOut ?? 0) + leftOut,
      })
    }
  }

  /** In the order in which the properties were added. */
  get counts(): PropertyCount[] {
    return [...this.#counts.values()]
  }
}

/** What a table shows of one property. */
type JudgedRow = {
  /** The share of runs and of events in which it was active, and of checks that were made. */
  readonly runs: string
  readonly events: string
  readonly checks: string
}

/** The shares as text: of the runs, of the events, and of the checks that were due; a dash where there is nothing to be a share of. */
export function judgedText(
  { runs, events, checked, leftOut }: PropertyCount,
  whole: Pick<CampaignDocument, 'seeds' | 'events'>,
): JudgedRow {
  return {
    runs: share(runs, whole.seeds),
    events: share(events, whole.events),
    checks: share(checked, checked + leftOut),
  }
}

/** With one decimal place. Only nothing is 0 % and only the whole is 100 %. */
function share(part: number, whole: number): string {
  if (whole === 0) return '-'
  if (part === 0 || part === whole) return `${part === 0 ? 0 : 100} %`
  return `${Math.min(99.9, Math.max(0.1, rounded((100 * part) / whole, 1)))} %`
}

/** The most important figures of a campaign, with their names and units. */
export type ReportedFigure = {
  readonly name: string
  /** The dotted path in the result of a run. */
  readonly path: string
  readonly unit: 'whole' | 'ratio' | 'minutes'
}

export const reportedFigures: readonly ReportedFigure[] = [
  { name: 'merged', path: 'totals.merged', unit: 'whole' },
  { name: 'failed', path: 'totals.failed', unit: 'whole' },
  { name: 'healthy PRs evicted', path: 'totals.healthyEvicted', unit: 'whole' },
  { name: 'clashed', path: 'totals.clashed', unit: 'whole' },
  { name: 'bad PRs merged', path: 'totals.badMerged', unit: 'whole' },
  { name: 'merged by quarantine', path: 'totals.quarantine.merges', unit: 'whole' },
  { name: 'breaks in quarantine', path: 'totals.quarantine.breaks', unit: 'whole' },
  { name: 'test runs', path: 'totals.testRuns', unit: 'whole' },
  { name: 'runs per merge', path: 'runsPerMerge', unit: 'ratio' },
  { name: 'CI time', path: 'totals.testMinutes', unit: 'minutes' },
  { name: 'time in queue, median', path: 'timeInQueueMinutes.p50', unit: 'minutes' },
  { name: 'time in queue, p95', path: 'timeInQueueMinutes.p95', unit: 'minutes' },
  { name: 'time to land, median', path: 'timeToLandMinutes.p50', unit: 'minutes' },
  { name: 'time to land, p95', path: 'timeToLandMinutes.p95', unit: 'minutes' },
  { name: 'price per landed PR', path: 'price.perLanded', unit: 'ratio' },
  { name: 'main broken', path: 'totals.brokenMainMinutes', unit: 'minutes' },
]

type Reported = { readonly figure: ReportedFigure; readonly found: Aggregate }

/**
 * Returns the most important figures that the campaign has. The time to land is left out where
 * nobody came again, because it equals the time in queue.
 */
export function reportedIn({ aggregate }: Pick<CampaignDocument, 'aggregate'>): Reported[] {
  const anyCameAgain = (aggregate['totals.cameAgain']?.max ?? 0) > 0
  return reportedFigures.flatMap((figure) => {
    const found = aggregate[figure.path]
    const isRepeated = figure.path.startsWith('timeToLand') && !anyCameAgain
    return found && !isRepeated ? [{ figure, found }] : []
  })
}

/** Says why a campaign has no intervals; empty if it has runs enough. */
export function withoutIntervals({ seeds }: Pick<CampaignDocument, 'seeds'>): string {
  return seeds < fewestForInterval
    ? `Fewer than ${fewestForInterval} runs have no interval: see the minimum and the maximum.`
    : ''
}

export function roundedText(number: number, unit: ReportedFigure['unit']): string {
  const near = rounded(number, 2)
  return unit === 'minutes' ? duration(near) : count(near)
}

/** Formats the mean, its interval, the minimum and the maximum as text. */
export function aggregateText({ mean, ci95, min, max }: Aggregate, unit: ReportedFigure['unit']) {
  const text = (number: number): string => roundedText(number, unit)
  return {
    mean: text(mean),
    interval: ci95 === null ? '-' : ci95.map(text).join(' to '),
    least: text(min),
    most: text(max),
  }
}

/** The most important figures as a table. */
export function figuresTable(document: Pick<CampaignDocument, 'aggregate'>): Table<Cell> {
  return tableOf(reportedIn(document).map(({ figure, found }) => ({ ...figure, found })))
}

/** All that there are, by their paths. */
export function everyFigureTable({ aggregate }: Pick<CampaignDocument, 'aggregate'>): Table<Cell> {
  const all = Object.entries(aggregate)
  return tableOf(all.map(([name, found]) => ({ name, unit: 'ratio', found })))
}

type Row = Pick<ReportedFigure, 'name' | 'unit'> & Pick<Reported, 'found'>

function tableOf(rows: readonly Row[]): Table<Cell> {
  return {
    head: ['figure', right('mean'), '95 % interval', right('minimum'), right('maximum')],
    rows: rows.map(({ name, unit, found }) => {
      const { mean, interval, least, most } = aggregateText(found, unit)
      const where = found.runs === undefined ? '' : `, in ${several(found.runs, 'run')}`
      return [`${name}${where}`, mean, interval, least, most]
    }),
  }
}
