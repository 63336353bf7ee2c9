/** The figures of a campaign: means with confidence intervals, and distributions over the runs. */

import type { CampaignDocument } from '../../campaign/document.ts'
import {
  aggregateText,
  reportedIn,
  withoutIntervals,
  type ReportedFigure,
} from '../../campaign/reported-figures.ts'
import type { Aggregate } from '../../result/aggregate.ts'
import { histogramChart, histogramStyles } from '../charts/histogram.ts'
import { html, type HtmlContent, type Html } from '../page/html.ts'
import { card, cards, folded, key, table } from '../page/pieces.ts'

const head = [
  { title: 'figure' },
  { title: 'mean', leans: 'right' },
  { title: '95 % interval' },
  { title: 'minimum', leans: 'right' },
  { title: 'maximum', leans: 'right' },
] as const

/** Shows the most important figures, and all figures in a part that the reader can expand. */
export function figuresTable(document: CampaignDocument): Html {
  const first = reportedIn(document).map(({ figure: { name, unit }, found }) =>
    rowOf(name, found, unit),
  )
  if (first.length === 0) return html`<p>There are no figures.</p>`
  const all = Object.entries(document.aggregate).map(([path, found]) => rowOf(path, found, 'ratio'))
  return html`${table(head, first, { name: 'Figures' })}
  ${folded('all figures', table(head, all, { name: 'All figures' }))}`
}

function rowOf(name: string, found: Aggregate, unit: ReportedFigure['unit']): HtmlContent[] {
  const { mean, interval, least, most } = aggregateText(found, unit)
  return [name, mean, interval, least, most]
}

/** Returns a histogram of each figure that is not equal in all runs. */
export async function distributions(
  document: CampaignDocument,
  valuesOf: (path: string) => readonly number[],
): Promise<Html> {
  const drawn: Html[] = []
  for (const { figure, found } of reportedIn(document)) {
    if (found.min < found.max) {
      drawn.push(await cardOf(figure, found, valuesOf(figure.path)))
    }
  }
  if (drawn.length === 0) return html`<p>All runs gave the same figures.</p>`
  const styles = histogramStyles.filter(
    (style) => style.color !== 'held' || withoutIntervals(document) === '',
  )
  return html`${key(styles)}${cards(drawn, 3)}`
}

/** From this maximum, times are shown in hours. */
const manyMinutes = 300

async function cardOf(
  { name, unit }: ReportedFigure,
  found: Aggregate,
  values: readonly number[],
): Promise<Html> {
  const isLong = unit === 'minutes' && found.max >= manyMinutes
  const divisor = isLong ? 60 : 1
  const scaled = (value: number): number => value / divisor
  const { mean, least, most } = aggregateText(found, unit)
  return card({
    title: name,
    about: `${mean} on average, ${least} to ${most}`,
    body: await histogramChart({
      name: `Number of runs by value: ${name}`,
      title: unit === 'minutes' ? (isLong ? 'hours' : 'minutes') : '',
      values: values.map(scaled),
      aggregate: {
        mean: scaled(found.mean),
        ci95: found.ci95 && [scaled(found.ci95[0]), scaled(found.ci95[1])],
        min: scaled(found.min),
        max: scaled(found.max),
      },
      isWhole: unit === 'whole',
    }),
  })
}
