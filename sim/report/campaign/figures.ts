/** What many runs came to: means with their intervals, and how the runs differ. */

import type { CampaignDocument } from '../../campaign/document.ts'
import { aggregateWords, toldFigures, type ToldFigure } from '../../campaign/told-figures.ts'
import type { Aggregate } from '../../result/aggregate.ts'
import { histogramChart, histogramLooks } from '../charts/histogram.ts'
import { html, type Content, type Html } from '../html.ts'
import { card, cards, folded, key, table } from '../pieces.ts'

const head = [
  { title: 'figure' },
  { title: 'mean', leans: 'right' },
  { title: '95 % interval' },
  { title: 'least', leans: 'right' },
  { title: 'most', leans: 'right' },
] as const

/** Those that one looks for first; all others to unfold. */
export function figuresTable({ aggregate }: CampaignDocument): Html {
  const first = toldFigures.flatMap(({ name, path, unit }) => {
    const found = aggregate[path]
    return found ? [rowOf(name, found, unit)] : []
  })
  if (first.length === 0) return html`<p>Nothing was counted.</p>`
  const all = Object.entries(aggregate).map(([path, found]) => rowOf(path, found, 'ratio'))
  return html`${table(head, first, { name: 'Figures' })}
  ${folded('every number of a result', table(head, all, { name: 'Every number' }))}`
}

function rowOf(name: string, found: Aggregate, unit: ToldFigure['unit']): Content[] {
  const { mean, interval, least, most } = aggregateWords(found, unit)
  return [name, mean, interval, least, most]
}

/** A picture for each of those that are not the same in all runs. */
export async function distributions(
  { aggregate }: CampaignDocument,
  valuesOf: (path: string) => readonly number[],
): Promise<Html> {
  const drawn: Html[] = []
  for (const figure of toldFigures) {
    const found = aggregate[figure.path]
    if (found && found.min < found.max) {
      drawn.push(await cardOf(figure, found, valuesOf(figure.path)))
    }
  }
  if (drawn.length === 0) return html`<p>All runs came to the same figures.</p>`
  return html`${key(histogramLooks)}${cards(drawn, 3)}`
}

/** From here on, time is told in hours. */
const manyMinutes = 300

async function cardOf(
  { name, unit }: ToldFigure,
  found: Aggregate,
  values: readonly number[],
): Promise<Html> {
  const isLong = unit === 'minutes' && found.max >= manyMinutes
  const divisor = isLong ? 60 : 1
  const scaled = (value: number): number => value / divisor
  const { mean, least, most } = aggregateWords(found, unit)
  const [low, high] = found.ci95
  return card({
    title: name,
    about: `${mean} on average, ${least} to ${most}`,
    body: await histogramChart({
      name: `In how many runs it came to how much: ${name}`,
      title: unit === 'minutes' ? (isLong ? 'hours' : 'minutes') : '',
      values: values.map(scaled),
      aggregate: {
        mean: scaled(found.mean),
        ci95: [scaled(low), scaled(high)],
        min: scaled(found.min),
        max: scaled(found.max),
      },
      isWhole: unit === 'whole',
    }),
  })
}
