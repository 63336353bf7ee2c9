/** The HTML page of a capacity run: the answer, and the curves of time and cost over the load. */

import { linesChart } from '../../sim/html/bar-charts.ts'
import { type Html, html } from '../../sim/html/html.ts'
import { pageText } from '../../sim/html/page.ts'
import { bullets, card, cards, key, type Table, right } from '../../sim/html/components.ts'
import { htmlSection } from '../../sim/html/table-section.ts'
import { figure } from '../statistics/effects.ts'
import { axisOver } from '../charts/axis.ts'
import { todayName, answerOf, settingsSection } from './document.ts'
import type { CapacityDocument, CapacityRow } from './document.ts'

export async function capacityPage(document: CapacityDocument): Promise<string> {
  const { scenario, assumptions } = document
  return pageText({
    title: `How much more ${scenario} can take`,
    head: html`${answerOf(document).map((sentence) => html`<p>${sentence}</p>`)}`,
    sections: [
      htmlSection(settingsSection(document)),
      {
        id: 'curves',
        title: 'Time and cost over the load',
        about:
          'Means of the loads that every seed simulated: up to the first at which one of them does not keep up.',
        body: await curves(document),
      },
      { id: 'model', title: 'Assumptions', body: bullets(assumptions) },
    ],
  })
}

/** As many settings as there are colours: today's, and those that can take most. */
const colors = ['series-8', 'series-1', 'series-2', 'series-3'] as const

const measures = [
  { field: 'p95', title: 'p95 to land, minutes' },
  { field: 'ciMinutes', title: 'CI minutes per landed pull request' },
  { field: 'price', title: 'price per landed pull request' },
] as const

async function curves(document: CapacityDocument): Promise<Html> {
  const today = document.rows.filter(({ name }) => name === todayName)
  const most = document.rows
    .filter(({ name }) => name !== todayName)
    .toSorted((a, b) => farthest(b) - farthest(a))
  const shown = [...today, ...most].slice(0, colors.length)
  const legend = key(shown.map(({ name }, index) => ({ color: colors[index] ?? '', means: name })))
  const drawn = measures.filter(({ field }) => field !== 'price' || document.hasPrices)
  return cards(
    await Promise.all(
      drawn.map(async (measure) =>
        card({
          title: measure.title,
          body: [legend, await curveChart(shown, measure)],
          numbers: numbersOf(shown, measure.field),
          isWide: true,
        }),
      ),
    ),
  )
}

const farthest = ({ curve }: CapacityRow): number => curve.at(-1)?.load ?? 0

type Measure = (typeof measures)[number]

const sizes = {
  wide: { width: 900, height: 260 },
  medium: { width: 560, height: 260 },
  narrow: { width: 270, height: 260 },
}

function curveChart(rows: readonly CapacityRow[], { field, title }: Measure): Promise<Html> {
  const points = rows.flatMap(({ curve }, index) =>
    curve.flatMap(({ load: x, [field]: y }) =>
      y === null ? [] : [{ x, y, color: colors[index] ?? '' }],
    ),
  )
  const loads = points.map(({ x }) => x)
  const values = points.map(({ y }) => y)
  const up = axisOver(values, { wanted: 5, padding: 0.1, isFromZero: true })
  const across = {
    scale: { type: 'log', base: 2, domain: [Math.min(...loads), Math.max(...loads)] },
    axis: {
      title: "times today's pull requests",
      tickCount: 4,
      labelExpr: "datum.label + ' x'",
    },
  }
  const name = `${title} over the load`
  const y = { scale: up.scale, axis: { title: null, ...up.ticks } }
  return linesChart({ name, points, x: across, y }, sizes)
}

function numbersOf(rows: readonly CapacityRow[], field: Measure['field']): Table {
  const loads = [...new Set(rows.flatMap(({ curve }) => curve.map(({ load }) => load)))].toSorted(
    (a, b) => a - b,
  )
  const head = ['times', ...rows.map(({ name }) => right(name))]
  const cells = loads.map((load) => [
    figure(load),
    ...rows.map(({ curve }) => {
      const value = curve.find((point) => point.load === load)?.[field]
      return value === null || value === undefined ? '' : figure(value)
    }),
  ])
  return { head, rows: cells }
}
