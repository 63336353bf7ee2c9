/** The HTML page of a comparison: one file without scripts that also opens offline. */

import { color, type Chart, chartInSizes, ownColor } from '../../sim/html/chart.ts'
import { type RowSize, namesAbove, rowNames, rowSizes } from '../../sim/html/bar-charts.ts'
import { centreOf, lineOf, type Interval } from '../../sim/statistics/interval.ts'
import { cellText, linesAbout } from '../statistics/effects.ts'
import { axisOver } from '../charts/axis.ts'
import { type Html, type HtmlContent, html, css } from '../../sim/html/html.ts'
import { pageText } from '../../sim/html/page.ts'
import { type Cell, bullets, card, cards, table, right } from '../../sim/html/components.ts'
import { htmlSection } from '../../sim/html/table-section.ts'
import { several } from '../../server/terminal/text.ts'
import { type Dot, scatterCard } from '../charts/scatter.ts'
import { conflictWindowMinutes, lengthModels } from '../queues/fair-scenario.ts'
import { strategies } from '../queues/index.ts'
import { boundsSection } from './bounds.ts'
import {
  meanIn,
  measuresOf,
  standings,
  tiersOf,
  differenceWords,
  headline,
  nameOf,
  standingWords,
  titleOf,
  strategiesSection,
  trades,
} from './comparison.ts'
import type { Compared, ComparisonDocument, Measure } from './comparison.ts'

// A chart of means with confidence intervals, one line per item.

type Whisker = {
  /** The name of the item. */
  readonly what: string
  readonly interval: Interval
  /** The name of a colour in the style. */
  readonly color: string
}

/** `name` is the description for screen readers. The axis is logarithmic if the values are far apart. */
function whiskersChart(
  name: string,
  whiskers: readonly Whisker[],
  { width, row, hasRoom }: RowSize,
): Chart {
  // The padding leaves room for the text after the longest line.
  const all = whiskers.flatMap(({ interval }) => {
    const { low, high } = lineOf(interval)
    return [low, centreOf(interval), high]
  })
  const { scale, ticks } = axisOver(all, { wanted: 4, padding: 0.45, isFromZero: true })
  const x = { field: 'mean', type: 'quantitative', scale } as const
  return {
    name,
    width,
    height: whiskers.length * row,
    rows: whiskers.map(({ what, interval, color: hue }) => ({
      what,
      mean: centreOf(interval),
      ...lineOf(interval),
      text: cellText(interval),
      color: color(hue),
    })),
    encoding: { y: rowNames(hasRoom) },
    layer: [
      {
        mark: { type: 'rule', opacity: 0.6, strokeWidth: 2 },
        encoding: {
          x: { ...x, field: 'low', axis: { title: null, ...ticks } },
          x2: { field: 'high' },
          color: ownColor,
        },
      },
      {
        mark: { type: 'circle', size: 70, opacity: 1 },
        encoding: { x, color: ownColor },
      },
      {
        mark: { type: 'text', align: 'left', dx: 8 },
        encoding: { x: { ...x, field: 'high' }, text: { field: 'text', type: 'nominal' } },
      },
      ...namesAbove(hasRoom),
    ],
  }
}

export async function comparisonPage(document: ComparisonDocument): Promise<string> {
  const { scenario, compared, seeds } = document
  return pageText({
    title: `Other queues on ${scenario}`,
    style,
    head: headOf(document),
    sections: [
      { id: 'best', title: bestTitle, body: bestTables(compared) },
      ...[strategiesSection(document), boundsSection(document.bounds)].map(htmlSection),
      {
        id: 'price',
        title: 'Speed against cost',
        about: `Further left is cheaper, further down is faster, a smaller dot evicts fewer healthy pull requests. ${linesAbout(seeds, 'The lines are 95 % confidence intervals.')}`,
        body: await speedAgainstCost(compared),
      },
      { id: 'figures', title: 'Figure by figure', body: await figureByFigure(compared) },
      {
        id: 'differences',
        title: differencesTitle,
        about:
          'The difference of each strategy from Mergeyard on the same pull requests; those at their best from Mergeyard at its best. All these intervals hold together with 95 %.',
        body: comparisonTable(compared),
      },
      { id: 'models', title: modelsTitle, body: table(modelsTable, modelsTitle) },
      { id: 'model', title: 'Assumptions', body: assumptionsOf(document) },
    ],
  })
}

const bestTitle = 'The best strategy in each figure'
const differencesTitle = 'Compared with Mergeyard'
const modelsTitle = 'What each strategy models'

/** The names of strategies are long, and the tables wide. */
const style = css`
  @media screen and (min-width: 40.01rem) {
    :is(#strategies, #differences) tbody th {
      white-space: nowrap;
    }
  }
`

function headOf({ description, compared, seeds }: ComparisonDocument): HtmlContent {
  return html`
    ${description === null ? null : html`<p class="soft">${description}</p>`}
    ${tiersOf(compared).map(({ title, tier }) => {
      const found = standings(tier)
      return html`
        <p class="verdict"><strong>${title}: ${headline(found)}</strong></p>
        ${trades(tier, found).map((sentence) => html`<p>${sentence}</p>`)}
      `
    })}
    <p class="soft">
      ${several(seeds, 'seed')}; the same pull requests, truth, run lengths and flakes for every
      strategy.
    </p>
  `
}

function bestTables(all: readonly Compared[]): HtmlContent {
  return tiersOf(all).map(({ title, tier }) => [html`<h3>${title}</h3>`, bestTable(title, tier)])
}

function bestTable(name: string, all: readonly Compared[]): Html {
  const real = all.filter(({ isReference }) => !isReference)
  const rows = standings(all).map((standing): Cell[] => {
    const { measure, better } = standing
    const meanOf = (each: Compared): number => meanIn(each, measure) ?? Infinity
    const least = Math.min(...real.map(meanOf))
    const lowest = real.filter((each) => meanOf(each) === least)
    const names = lowest.length === real.length ? 'all equal' : lowest.map((each) => each.strategy)
    return [
      titleOf(measure),
      better.length > 0 ? { text: standingWords(standing), tone: 'warn' } : standingWords(standing),
      cellText(all[0]?.figures[measure] ?? null),
      typeof names === 'string' ? names : names.join('; '),
      cellText(lowest[0]?.figures[measure] ?? null),
    ]
  })
  const head = ['figure', 'verdict', right('Mergeyard'), 'lowest mean', right('its figure')]
  return table({ head, rows }, `${bestTitle}: ${name}`)
}

const tones = { less: 'good', more: 'bad', 'cannot tell': 'soft', 'the same': 'soft' } as const

function comparisonTable(all: readonly Compared[]): Html {
  const measured = measuresOf(all)
  const cellOf = ({ againstMergeyard }: Compared, measure: Measure): Cell => {
    const difference = againstMergeyard[measure]
    if (!difference) return 'no merge'
    return { text: differenceWords(measure, difference), tone: tones[difference.reading] }
  }
  const rows = all
    .slice(1)
    .map((each) => [nameOf(each), ...measured.map((measure) => cellOf(each, measure))])
  return table({ head: ['strategy', ...measured], rows }, differencesTitle)
}

const modelsTable = {
  head: ['strategy', 'what it does', 'models', 'not modelled'],
  rows: strategies.map(({ name, about, after, leavesOut }) => [name, about, after, leavesOut]),
}

function assumptionsOf({ assumptions, leftOut, lengths }: ComparisonDocument): Html {
  const ofComparison = [
    `The length of runs is ${lengthModels[lengths]}.`,
    `A generated pull request conflicts with those that came up to ${conflictWindowMinutes} minutes before it, however long they wait.`,
    'Every strategy has as many slots as the scenario’s concurrency, at most. Mergeyard’s slots for bisections are two fifths of them, or as its best setting divides them.',
    ...(leftOut.length === 0
      ? []
      : [`Left out, because not every strategy supports it: ${leftOut.join(', ')}.`]),
  ]
  return bullets([...assumptions, ...ofComparison])
}

// The charts of a comparison: speed against cost, and one chart per figure.

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
async function speedAgainstCost(all: readonly Compared[]): Promise<Html> {
  const dots = all.flatMap((each): Dot[] => {
    const { 'CI minutes per merge': x, 'time to land p95': y } = each.figures
    if (!x || !y) return []
    const weight = meanIn(each, 'healthy evicted') ?? 0
    return [{ x, y, weight, color: colorOf(each), label: nameOf(each), hasLines: true }]
  })
  const title = 'CI minutes against time to land'
  if (dots.length === 0) return cards([card({ title, about: 'No pull request merged.' })])
  return scatterCard(title, Object.values(kinds), {
    name: 'CI minutes per merge against p95 time to land, for every strategy',
    x: 'CI minutes per merge',
    y: 'time to land p95, minutes',
    // Mergeyard on top.
    dots: dots.toReversed(),
  })
}

/** Returns one chart per figure, except figures that are 0 for all strategies. */
async function figureByFigure(all: readonly Compared[]): Promise<Html> {
  const distinguishing = measuresOf(all).filter((name) =>
    all.some((each) => (meanIn(each, name) ?? 0) > 0),
  )
  if (distinguishing.length === 0) return html`<p class="soft">Every figure is zero or missing.</p>`
  return cards(await Promise.all(distinguishing.map((measure) => cardOf(measure, all))))
}

async function cardOf(measure: Measure, all: readonly Compared[]): Promise<Html> {
  const whiskers = all.flatMap((each) => {
    const interval = each.figures[measure]
    return interval ? [{ what: nameOf(each), interval, color: colorOf(each) }] : []
  })
  const name = `${titleOf(measure)}, for every strategy`
  return card({
    title: titleOf(measure),
    body: await chartInSizes(rowSizes, (size) => whiskersChart(name, whiskers, size)),
  })
}
