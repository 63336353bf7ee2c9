/** The most important figures of a campaign, with their names and units. */

import { count, duration } from '../../server/terminal/text.ts'
import { right } from '../html/pieces.ts'
import type { ToldTable } from '../html/told.ts'
import type { CampaignDocument } from './document.ts'
import type { Aggregate } from '../result/aggregate.ts'
import { fewestForInterval } from '../statistics/interval.ts'

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

/** A figure of a campaign with its aggregate. */
export type Reported = { readonly figure: ReportedFigure; readonly found: Aggregate }

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
  const text = { whole: count, ratio: String, minutes: duration }[unit]
  return text(Math.round(number * 100) / 100)
}

/** Formats the mean, its interval, the minimum and the maximum as text. */
export function aggregateText({ mean, ci95, min, max }: Aggregate, unit: ReportedFigure['unit']) {
  const rounded = (number: number): string => roundedText(number, unit)
  return {
    mean: rounded(mean),
    interval: ci95 === null ? '-' : ci95.map(rounded).join(' to '),
    least: rounded(min),
    most: rounded(max),
  }
}

/** The most important figures as a table. */
export function figuresTable(document: Pick<CampaignDocument, 'aggregate'>): ToldTable {
  return tableOf(reportedIn(document).map(({ figure, found }) => ({ ...figure, found })))
}

/** All that there are, by their paths. */
export function everyFigureTable({ aggregate }: Pick<CampaignDocument, 'aggregate'>): ToldTable {
  const all = Object.entries(aggregate)
  return tableOf(all.map(([name, found]) => ({ name, unit: 'ratio', found })))
}

type Row = Pick<ReportedFigure, 'name' | 'unit'> & Pick<Reported, 'found'>

function tableOf(rows: readonly Row[]): ToldTable {
  return {
    head: ['figure', right('mean'), '95 % interval', right('minimum'), right('maximum')],
    rows: rows.map(({ name, unit, found }) => {
      const { mean, interval, least, most } = aggregateText(found, unit)
      return [name, mean, interval, least, most]
    }),
  }
}
