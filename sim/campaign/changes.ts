/** What `--set` changes in the figures of a campaign, run by run with the same seed. */

import { type Cell, type Table, right } from '../html/components.ts'
import { fewestForInterval, studentEnds } from '../statistics/interval.ts'
import type { CampaignDocument, ReportedFigure } from './document.ts'
import { reportedFigures, reportedIn, roundedText } from './document.ts'

export type FinishedCampaign<Document = CampaignDocument> = {
  readonly document: Document
  /** Returns the values of a figure in all runs, by its dotted path. */
  readonly valuesOf: (path: string) => readonly number[]
}

/** `changes`: against the same seeds without the settings of `--set`; only if something is set. */
export type ComparedDocument = CampaignDocument & { readonly changes?: readonly Change[] }

/** A figure before and after. */
type Change = {
  readonly path: string
  readonly before: number
  readonly after: number
  /** The mean of the differences. */
  readonly difference: number
  /** The 95 % interval of the difference; null: too few runs, or all differ alike. */
  readonly interval: readonly [low: number, high: number] | null
}

/** A figure that some run lacks has no pairs. */
export function changesOf(before: FinishedCampaign, after: FinishedCampaign): Change[] {
  return reportedIn(after.document).flatMap(({ figure: { path }, found }) => {
    const [from, to] = [before.valuesOf(path), after.valuesOf(path)]
    const was = before.document.aggregate[path]
    if (!was || from.length !== to.length || to.length < after.document.seeds) return []
    const differences = to.map((value, index) => value - (from[index] ?? 0))
    const { mean, low, high } = studentEnds(differences)
    const isSure = differences.length >= fewestForInterval && low !== high
    const interval = isSure ? ([low, high] as const) : null
    return [{ path, before: was.mean, after: found.mean, difference: mean, interval }]
  })
}

/** The differences and their intervals come first, because they are what was asked. */
export function changesTable(changes: readonly Change[]): Table<Cell> {
  const head = ['', right('difference'), '95 % interval', right('before'), right('after')]
  const rows = changes.flatMap(({ path, before, after, difference, interval }) => {
    const figure = reportedFigures.find((each) => each.path === path)
    if (!figure) return []
    const { name, unit } = figure
    const [low = 0, high = 0] = interval ?? []
    const ends = [low, high].map((each) => signedText(each, unit)).join(' to ')
    const doubt = low > 0 || high < 0 ? '' : '  (may be none)'
    const change = signedText(difference, unit)
    const means = [before, after].map((each) => roundedText(each, unit))
    return [[name, change, interval === null ? '-' : `${ends}${doubt}`, ...means]]
  })
  return { head, rows }
}

function signedText(value: number, unit: ReportedFigure['unit']): string {
  const text = roundedText(Math.abs(value), unit)
  return text === roundedText(0, unit) ? text : `${value < 0 ? '-' : '+'}${text}`
}
