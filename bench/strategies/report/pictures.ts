/** The charts of a comparison: speed against cost, and one chart per figure. */

import { chartForAnyScreen } from '../../../sim/report/page/chart.ts'
import type { Html } from '../../../sim/report/page/html.ts'
import { card, cards, key } from '../../../sim/report/page/pieces.ts'
import { hasLogarithmicAxis, scatterChart, type Dot } from '../../charts/scatter.ts'
import { whiskersChart } from '../../charts/whiskers.ts'
import { meanIn, measures, measuresOf, type Compared, type Measure } from '../comparison.ts'

const kinds = {
  own: { color: 'series-1', means: 'Mergeyard' },
  other: { color: 'series-8', means: 'the others' },
  reference: { color: 'waiting', means: 'a reference that knows what breaks' },
} as const

function colorOf({ strategy, isReference }: Compared): string {
  if (strategy.startsWith(kinds.own.means)) return kinds.own.color
  return isReference ? kinds.reference.color : kinds.other.color
}

/**
 * Returns a chart of p95 time to land against CI minutes. The size of a dot shows how many healthy
 * pull requests were evicted.
 */
export async function speedAgainstCost(all: readonly Compared[]): Promise<Html> {
  const dots = all.flatMap((each): Dot[] => {
    const { 'CI minutes per merge': x, 'time to land p95': y } = each.figures
    if (!x || !y) return []
    const weight = meanIn(each, 'healthy evicted') ?? 0
    const label = each.isReference ? `(${each.strategy})` : each.strategy
    return [{ x, y, weight, color: colorOf(each), label, hasLines: true }]
  })
  const title = 'CI minutes against time to land'
  if (dots.length === 0)
    return cards([card({ title, about: 'No pull request merged.', body: null })])
  const scatter = {
    name: 'CI minutes per merge against p95 time to land, for every strategy',
    x: 'CI minutes per merge',
    y: 'time to land p95, minutes',
    // Mergeyard on top.
    dots: dots.toReversed(),
  }
  return cards([
    card({
      title,
      about: hasLogarithmicAxis(dots)
        ? 'An axis is logarithmic if its values are far apart.'
        : undefined,
      body: [
        key(Object.values(kinds)),
        await chartForAnyScreen((size) => scatterChart(scatter, size)),
      ],
      isWide: true,
    }),
  ])
}

/** Returns one chart per figure, except figures that are 0 for all strategies. */
export async function figureByFigure(all: readonly Compared[]): Promise<Html> {
  const distinguishing = measuresOf(all).filter((name) =>
    all.some((each) => (meanIn(each, name) ?? 0) > 0),
  )
  return cards(await Promise.all(distinguishing.map((measure) => cardOf(measure, all))), 3)
}

async function cardOf(measure: Measure, all: readonly Compared[]): Promise<Html> {
  const whiskers = all.flatMap((each) => {
    const interval = each.figures[measure]
    const what = each.isReference ? `(${each.strategy})` : each.strategy
    return interval ? [{ what, interval, color: colorOf(each) }] : []
  })
  const name = `${titleOf(measure)}, for every strategy`
  return card({
    title: titleOf(measure),
    body: await chartForAnyScreen((size) => whiskersChart(name, whiskers, size)),
  })
}

/** Returns the name of a measure with its unit. */
export function titleOf(measure: Measure): string {
  const { unit } = measures[measure]
  return unit === '' ? measure : `${measure}, ${unit}`
}
