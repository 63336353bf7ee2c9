/** The HTML page of a benchmark run: one file without scripts that also opens offline. */

import { html, type HtmlContent, type Html } from '../../sim/report/page/html.ts'
import { pageText } from '../../sim/report/page/page.ts'
import { css } from '../../sim/report/style/css.ts'
import { card, cards, table, tiles, type Column } from '../../sim/report/page/pieces.ts'
import type { Curve, Figure, Target } from '../measuring/measurement.ts'
import type { Change } from './compare.ts'
import { curveChart } from './curve.ts'
import type { BenchDocument, BenchmarkResult } from './document.ts'
import { boundInWords, digits, inWords, ratioInWords, spreadInWords } from './format.ts'

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
    { title: '' },
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
