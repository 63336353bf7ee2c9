/** The HTML pages of a benchmark run: one file each without scripts that also opens offline. */

import { chartForAnyScreen, color } from '../../sim/html/chart.ts'
import { html, type Html, type HtmlContent } from '../../sim/html/html.ts'
import { pageText } from '../../sim/html/page.ts'
import { card, cards, table, tiles, type Column } from '../../sim/html/pieces.ts'
import { css } from '../../sim/html/style/css.ts'
import type { PublishedFigure, Source } from '../calibration/published-figure.ts'
import { factorTicks, shortCount } from '../charts/axis.ts'
import {
  agreementText,
  boundInWords,
  digits,
  hereText,
  inUnit,
  inWords,
  ratioInWords,
  spreadInWords,
  type BenchDocument,
  type BenchmarkResult,
  type Change,
} from './document.ts'
import type { Curve, Figure, Target, Unit } from './measurement.ts'

/** Returns the page. `changes` compares the run with an earlier one; null without one. */
export async function pageOf(
  document: BenchDocument,
  changes: readonly Change[] | null,
): Promise<string> {
  const sections = []
  const targets = targetsOf(document)
  if (targets) sections.push({ id: 'targets', title: 'Targets', body: targets })
  if (changes) sections.push({ id: 'compared', title: comparedTitle, body: comparison(changes) })
  for (const result of document.benchmarks) {
    const { name, title } = result
    sections.push({ id: name, title: name, about: title, body: await bodyOf(result) })
  }
  const { madeAt, machine } = document
  const foot = `Node ${machine.node}, ${machine.processor}, ${machine.cores} cores, ${machine.platform}, ${madeAt}. Times depend on the machine; ratios were measured in turns in one run.`
  return pageText({ title: 'Benchmarks', head: headOf(document), sections, foot, style })
}

const comparedTitle = 'Compared with the earlier run'

const style = css`
  #targets td:nth-child(2) {
    white-space: nowrap;
  }
`

function headOf({ quick, benchmarks }: BenchDocument): HtmlContent {
  if (quick) return html`<p>Quick run: everything works. Only a full run measures costs.</p>`
  const targets = benchmarks.flatMap((result) => result.targets)
  const missed = targets.filter(({ isMet }) => !isMet).length
  return tiles([
    { name: 'targets met', value: targets.length - missed, tone: 'good' },
    { name: 'targets missed', value: missed, tone: missed > 0 ? 'bad' : null },
  ])
}

/** All targets in one table; null if there are none. */
function targetsOf({ benchmarks, quick }: BenchDocument): Html | null {
  const rows = benchmarks.flatMap(({ name, targets }) =>
    targets.map((target): HtmlContent[] => [
      target.name,
      verdictOn(target, quick),
      inWords(target.value.median, target.unit),
      spreadInWords(target.value, target.unit),
      boundInWords(target),
      html`<a href="#${name}">${name}</a>`,
    ]),
  )
  return rows.length === 0 ? null : tableOf(targetHead, rows, 'Targets')
}

function verdictOn({ isMet }: Target, isQuick: boolean): Html {
  if (isQuick) return html`<span class="soft">not judged</span>`
  return isMet ? html`<strong class="good">met</strong>` : html`<strong class="bad">missed</strong>`
}

async function bodyOf({
  name,
  figures,
  curves,
  notes,
  published,
}: BenchmarkResult): Promise<HtmlContent> {
  const drawn: Html[] = []
  for (const curve of curves) drawn.push(await cardOf(curve))
  return [
    tableOf(figureHead, figures.map(figureRow), `Figures of ${name}`),
    drawn.length > 0 ? cards(drawn, 3) : null,
    published.length > 0
      ? html`<p><a href="calibration.html">Every figure, with its source and reason</a></p>`
      : null,
    notes.map((note) => html`<p class="soft">${note}</p>`),
    html`<p class="soft"><code>npm run bench -- --only ${name}</code></p>`,
  ]
}

/** Returns a table without its empty columns. */
function tableOf(head: readonly Column[], rows: readonly HtmlContent[][], name: string): Html {
  const isUsed = head.map((_, index) => rows.some((row) => row[index] !== ''))
  const used = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => isUsed[index])
  return table(used(head), rows.map(used), { name })
}

const figureHead = [
  { title: 'figure' },
  { title: 'median', leans: 'right' },
  { title: 'lowest to highest', leans: 'right' },
  { title: 'ratio' },
] as const

const figureRow = (figure: Figure): HtmlContent[] => [
  figure.name,
  inWords(figure.value.median, figure.unit),
  spreadInWords(figure.value, figure.unit),
  ratioInWords(figure),
]

const targetHead = [
  { title: 'target' },
  { title: 'verdict' },
  { title: 'measured', leans: 'right' },
  { title: 'lowest to highest', leans: 'right' },
  { title: 'bound' },
  { title: 'benchmark' },
] as const

function comparison(changes: readonly Change[]): Html {
  const head = [
    { title: 'figure' },
    { title: 'old', leans: 'right' },
    { title: 'new', leans: 'right' },
    { title: 'new : old', leans: 'right' },
    { title: 'how sure' },
  ] as const
  const rows = changes.map(({ benchmark, figure, unit, old, now, ratio, isNoise }) => [
    `${benchmark}: ${figure}`,
    inWords(old, unit),
    inWords(now, unit),
    digits(ratio),
    isNoise ? 'ranges overlap' : '',
  ])
  return table(head, rows, { name: comparedTitle })
}

async function cardOf(curve: Curve): Promise<Html> {
  const rows = curve.points.map(({ x, y }) => [x, inWords(y, curve.unit)])
  return card({
    title: curve.name,
    body: await curveChart(curve),
    numbers: table([{ title: curve.x }, { title: curve.y, leans: 'right' }], rows, {
      name: curve.name,
    }),
  })
}

/**
 * Draws how a figure grows. On its logarithmic axes proportional growth is a straight line and a constant cost is
 * a flat line.
 */
function curveChart({ name, x, y, unit, points }: Curve): Promise<Html> {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)]
  return chartForAnyScreen((size) => ({
    name,
    width: size === 'wide' ? 360 : 230,
    height: size === 'wide' ? 200 : 160,
    rows: points,
    encoding: {
      x: axisOf('x', x, factorTicks(xs, 'tens', size === 'wide' ? 7 : 5), null),
      y: axisOf('y', y, factorTicks(ys, unit === 'bytes' ? 'twos' : 'tens', 7), unit),
    },
    layer: [
      {
        mark: { type: 'line', color: color('series-1'), point: { color: color('series-1') } },
      },
    ],
  }))
}

function axisOf(field: 'x' | 'y', title: string, ticks: readonly number[], unit: Unit | null) {
  const labels = Object.fromEntries(ticks.map((tick) => [String(tick), labelOf(tick, unit)]))
  const labelExpr = `${JSON.stringify(labels)}[datum.value]`
  return {
    field,
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], nice: false },
    axis: { title, values: [...ticks], labelExpr },
  }
}

function labelOf(tick: number, unit: Unit | null): string {
  return unit === null ? shortCount(tick) : inWords(tick, unit)
}

/** Returns the page of published figures, with one section for each source. */
export function calibrationPage(sources: readonly Source[]): string {
  const figures = sources.flatMap((source) => source.figures)
  const judged = figures.filter(({ agreement }) => agreement !== 'not asked')
  const differing = judged.filter(({ agreement }) => agreement === 'differs')
  return pageText({
    title: 'Calibration',
    head: html`
      <p>
        Figures that others published, beside the same figures of this simulator. Each row says why
        the two agree or differ.
      </p>
      ${tiles([
        { name: 'agree', value: judged.length - differing.length, tone: 'good' },
        {
          name: 'differ under the same rules',
          value: differing.length,
          tone: differing.length > 0 ? 'bad' : null,
        },
        { name: 'other rules, explained', value: figures.length - judged.length },
      ])}
    `,
    sections: sources.map((source, index) => ({
      id: `source-${index + 1}`,
      title: source.title,
      about: source.origin,
      body: sourceBody(source),
    })),
  })
}

function sourceBody({ title, figures, leftOut }: Source): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'figure' },
    { title: 'published', ...right },
    { title: 'here', ...right },
    { title: 'verdict' },
    { title: 'why' },
  ]
  const rows = figures.map((each) => [
    each.name,
    inUnit(each.published, each),
    hereText(each),
    agreementOn(each),
    each.because,
  ])
  return html`
    ${rows.length === 0 ? null : table(head, rows, { name: title })}
    ${leftOut.map((each) => html`<p class="soft">Not compared: ${each}</p>`)}
  `
}

function agreementOn(figure: PublishedFigure): Html {
  const words = agreementText(figure)
  if (figure.agreement === 'differs') return html`<strong class="bad">${words}</strong>`
  if (figure.agreement === 'not asked') return html`<span class="soft">${words}</span>`
  return html`<strong class="good">${words}</strong>`
}
