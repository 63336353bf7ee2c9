/** Published figures beside ours, for the terminal. */

import { columns } from '../../sim/terminal/text.ts'
import type { PublishedFigure, Source } from '../measuring/published-figure.ts'

/** Returns a table for each source; empty without sources. */
export function sourcesText(sources: readonly Source[]): string {
  return sources.map(sourceText).join('')
}

function sourceText({ title, figures, leftOut }: Source): string {
  const rows = figures.map((each) => [
    `    ${each.name}`,
    inUnit(each.published, each),
    hereText(each),
    agreementText(each),
  ])
  const head = ['    figure', 'published', 'here', '']
  const table = rows.length === 0 ? '' : columns([head, ...rows], [1, 2])
  return `  ${title}\n${table}${leftOut.map((each) => `    not compared: ${each}\n`).join('')}\n`
}

/** Formats a figure with at most five digits after the point, and its unit. */
export function inUnit(value: number, { unit }: Pick<PublishedFigure, 'unit'>): string {
  return `${text(value, 5)} ${unit}`
}

/** Formats our figure with its interval: `1.96 (1.86 to 2.06) runs`, or `493 runs`. */
export function hereText({ here, unit }: PublishedFigure): string {
  const { mean, low, high } = here
  if (low === high) return `${text(mean, 3)} ${unit}`
  return `${text(mean, 3)} (${text(low, 3)} to ${text(high, 3)}) ${unit}`
}

/** What the comparison says: `equal`, `within the interval`, `differs` or `other rules`. */
export function agreementText({ agreement }: PublishedFigure): string {
  return agreement === 'not asked' ? 'other rules' : agreement
}

const text = (value: number, most: number): string => String(Number(value.toFixed(most)))
