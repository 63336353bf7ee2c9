/** The strategies as pictures: speed against cost, and figure by figure. */

import { chartForAnyScreen } from '../../../sim/report/chart.ts'
import type { Html } from '../../../sim/report/html.ts'
import { card, cards, key } from '../../../sim/report/pieces.ts'
import { isByFactors, scatterChart, type Dot } from '../../charts/scatter.ts'
import { whiskersChart } from '../../charts/whiskers.ts'
import { measureNames, measures, type Compared, type Measure } from '../comparison.ts'

const kinds = {
  own: { color: 'series-1', means: 'Mergeyard' },
  other: { color: 'series-8', means: 'the others' },
  bound: { color: 'waiting', means: 'a bound that nobody can have' },
} as const

function colorOf({ isBound }: Compared, place: number): string {
  if (place === 0) return kinds.own.color
  return isBound ? kinds.bound.color : kinds.other.color
}

/** p95 against CI minutes, the size of a dot telling how many healthy ones were evicted. */
export async function speedAgainstCost(all: readonly Compared[]): Promise<Html> {
  const dots = all.flatMap((each, place): Dot[] => {
    const { 'CI minutes per merge': x, 'time in queue p95': y } = each.figures
    if (!x || !y) return []
    const weight = each.figures['healthy evicted']?.mean ?? 0
    const label = each.isBound ? `(${each.strategy})` : each.strategy
    return [{ x, y, weight, color: colorOf(each, place), label, hasLines: true }]
  })
  const title = 'CI minutes against time in queue'
  if (dots.length === 0) return cards([card({ title, about: 'Nobody merged.', body: null })])
  const scatter = {
    name: 'CI minutes per merge against p95 time in queue, for every strategy',
    x: 'CI minutes per merge',
    y: 'time in queue p95, minutes',
    // Mergeyard on top.
    dots: dots.toReversed(),
  }
  return cards([
    card({
      title,
      about: isByFactors(dots) ? 'An axis goes by factors where some are far off.' : undefined,
      body: [
        key(Object.values(kinds)),
        await chartForAnyScreen((size) => scatterChart(scatter, size)),
      ],
      isWide: true,
    }),
  ])
}

/** A card for each figure in which anybody has more than nothing. */
export async function figureByFigure(all: readonly Compared[]): Promise<Html> {
  const telling = measureNames.filter((name) =>
    all.some(({ figures }) => (figures[name]?.mean ?? 0) > 0),
  )
  return cards(await Promise.all(telling.map((measure) => cardOf(measure, all))), 3)
}

async function cardOf(measure: Measure, all: readonly Compared[]): Promise<Html> {
  const whiskers = all.flatMap((each, place) => {
    const interval = each.figures[measure]
    const what = each.isBound ? `(${each.strategy})` : each.strategy
    return interval ? [{ what, interval, color: colorOf(each, place) }] : []
  })
  const name = `${titleOf(measure)}, for every strategy`
  return card({
    title: titleOf(measure),
    body: await chartForAnyScreen((size) => whiskersChart(name, whiskers, size)),
  })
}

export function titleOf(measure: Measure): string {
  const { unit } = measures[measure]
  return unit === '' ? measure : `${measure}, ${unit}`
}
