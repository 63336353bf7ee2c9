/** A run of the benchmarks as one HTML file that opens anywhere, offline and without scripts. */

import { chart, color, type Chart } from '../../sim/report/chart.ts'
import { html, type Content, type Html } from '../../sim/report/html.ts'
import { pageText } from '../../sim/report/page.ts'
import { card, cards, table, tiles } from '../../sim/report/pieces.ts'
import type { Curve, Figure, Target } from '../measuring/measured.ts'
import type { Change } from './compare.ts'
import type { BenchDocument, BenchmarkResult } from './document.ts'
import { boundInWords, digits, inWords, ratioInWords, spreadInWords } from './words.ts'

export async function pageOf(
  document: BenchDocument,
  changes: readonly Change[] | null,
): Promise<string> {
  const sections = []
  if (changes)
    sections.push({ id: 'beside', title: 'Beside the earlier run', body: beside(changes) })
  for (const result of document.benchmarks) {
    const { name, title } = result
    sections.push({ id: name, title: name, about: title, body: await bodyOf(result) })
  }
  const { madeAt, machine } = document
  const where = `Node ${machine.node}, ${machine.processor}, ${machine.cores} cores, ${machine.platform}, ${madeAt}. Seconds are this machine's; ratios were taken in one run, in turns.`
  return pageText({ title: 'Benchmarks', head: headOf(document), sections, foot: where })
}

function headOf({ quick, benchmarks }: BenchDocument): Content {
  if (quick) return html`<p>Quick form: it works; how fast it is, only a full run says.</p>`
  const targets = benchmarks.flatMap((result) => result.targets)
  const missed = targets.filter(({ isMet }) => !isMet).length
  return tiles([
    { name: 'targets met', value: targets.length - missed, tone: 'good' },
    { name: 'targets missed', value: missed, tone: missed > 0 ? 'bad' : null },
  ])
}

async function bodyOf({
  name,
  figures,
  targets,
  curves,
  notes,
}: BenchmarkResult): Promise<Content> {
  const drawn: Html[] = []
  for (const curve of curves) drawn.push(await cardOf(curve))
  return [
    targets.length > 0 ? table(targetHead, targets.map(targetRow), { name: 'Targets' }) : null,
    drawn.length > 0 ? cards(drawn) : null,
    table(figureHead, figures.map(figureRow), { name: 'Figures' }),
    notes.map((note) => html`<p class="soft">${note}</p>`),
    html`<p class="soft"><code>npm run bench -- --only ${name}</code></p>`,
  ]
}

const figureHead = [
  { title: 'figure' },
  { title: 'median', leans: 'right' },
  { title: 'lowest to highest', leans: 'right' },
  { title: 'beside' },
] as const

const figureRow = (figure: Figure): Content[] => [
  figure.name,
  inWords(figure.value.median, figure.unit),
  spreadInWords(figure.value, figure.unit),
  ratioInWords(figure),
]

const targetHead = [
  { title: 'target' },
  { title: 'measured', leans: 'right' },
  { title: 'lowest to highest', leans: 'right' },
  { title: 'promised' },
  { title: '' },
] as const

const targetRow = (target: Target): Content[] => [
  target.name,
  inWords(target.value.median, target.unit),
  spreadInWords(target.value, target.unit),
  boundInWords(target),
  target.isMet
    ? html`<strong class="good">met</strong>`
    : html`<strong class="bad">missed</strong>`,
]

function beside(changes: readonly Change[]): Html {
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
    isNoise ? 'within the spread' : '',
  ])
  return table(head, rows, { name: 'Beside the earlier run' })
}

async function cardOf(curve: Curve): Promise<Html> {
  const rows = curve.points.map(({ x, y }) => [x, inWords(y, curve.unit)])
  return card({
    title: curve.name,
    body: await chart(pictureOf(curve)),
    numbers: table([{ title: curve.x }, { title: curve.y, leans: 'right' }], rows),
  })
}

/** Both axes by powers of ten: what grows in proportion is a straight line, what does not is flat. */
function pictureOf({ name, x, y, unit, points }: Curve): Chart {
  const nsPerUs = 1000
  const isTime = unit === 'ns'
  return {
    name,
    width: 360,
    height: 200,
    rows: points.map((point) => ({ x: point.x, y: isTime ? point.y / nsPerUs : point.y })),
    encoding: {
      x: {
        field: 'x',
        type: 'quantitative',
        scale: { type: 'log' },
        axis: { title: x, format: '~s' },
      },
      y: {
        field: 'y',
        type: 'quantitative',
        scale: { type: 'log' },
        axis: { title: isTime ? `${y}, µs` : y, format: '~s' },
      },
    },
    layer: [{ mark: { type: 'line', point: true, color: color('series-1') } }],
  }
}
