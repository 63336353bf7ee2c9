/**
 * Charts as inline SVG. They are drawn when the report is written, so the page needs no script.
 * Importing this module loads the chart library, so import it only to write a report.
 */

import { Error as errorsOnly, parse, View, type Loader } from 'vega'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'
import { duration } from '../../server/terminal/text.ts'
import type { Bar } from './components.ts'
import { escaped, html, printable, trusted, type Html } from './html.ts'

// The time axis of a chart, and its ticks at round steps: 15 minutes, or 6 hours.

const hour = 60
const day = 24 * hour

/** The steps between ticks, in minutes. */
export const timeSteps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((days) => days * day),
]

type TimeTick = { readonly minutes: number; readonly label: string }

/** Returns ticks from zero on, about `wanted` of them or fewer. */
export function timeTicks(untilMinutes: number, wanted: number): TimeTick[] {
  const step = timeSteps.find((each) => untilMinutes / each <= wanted) ?? untilMinutes / wanted
  const ticks: TimeTick[] = []
  for (let index = 0; index * step <= untilMinutes * 1.0001; index++) {
    const minutes = Math.round(index * step * 10) / 10
    ticks.push({ minutes, label: index === 0 ? '0' : duration(minutes) })
  }
  return ticks
}

/** Returns the ticks as an axis of a chart. */
export function timeAxis(
  untilMinutes: number,
  wanted: number,
): { readonly values: number[]; readonly labelExpr: string } {
  const ticks = timeTicks(untilMinutes, wanted)
  const labels = Object.fromEntries(ticks.map(({ minutes, label }) => [String(minutes), label]))
  return {
    values: ticks.map(({ minutes }) => minutes),
    labelExpr: `${JSON.stringify(labels)}[datum.value]`,
  }
}

type Layered = Extract<TopLevelSpec, { layer: unknown[] }>

export type Chart = {
  /** A sentence that describes the chart to screen readers. */
  readonly name: string
  /** Width and height of the plot area, without axes, in CSS pixels. */
  readonly width: number
  readonly height: number
  /** The data of every layer that has no separate `data`. */
  readonly rows: readonly object[]
} & Pick<Layered, 'layer' | 'encoding' | 'transform' | 'resolve'>

/** Returns a colour of the style as a CSS value for charts. */
export const color = (name: string): string => `var(--${name})`

/** The encoding of marks whose rows say their colour, in the field `color`. */
export const ownColor = { field: 'color', type: 'nominal', scale: null } as const

/**
 * Draws the chart for each size; the style shows the one that fits. Text has the size of the drawing,
 * so a chart as wide as the page needs `medium` for a tablet. Equal input gives equal bytes.
 */
export async function chartInSizes<Size>(
  sizes: { readonly wide: Size; readonly medium?: Size; readonly narrow: Size },
  draw: (size: Size) => Chart,
): Promise<Html> {
  const { wide, medium, narrow } = sizes
  const all = Object.entries<Size | undefined>({ wide, medium, narrow }).map(async ([name, size]) =>
    size === undefined ? null : trusted(await svgOf(draw(size), name)),
  )
  return html`${await Promise.all(all)}`
}

async function svgOf(
  { name, width, height, rows, ...picture }: Chart,
  size: string,
): Promise<string> {
  const spec: TopLevelSpec = { width, height, data: { values: [...rows] }, ...picture }
  const { spec: drawing } = compile(spec, { config: chartConfig })
  const view = new View(parse(drawing), {
    renderer: 'none',
    logLevel: errorsOnly,
    loader: noLoader,
  })
  const svg = await view.toSVG()
  view.finalize()
  return framed(withTitles(printable(svg)), name, size)
}

/** A mark with `aria: true` and this encoding shows the text of the field as its tooltip. */
export const tooltip = { description: { field: 'about' } } as const

/** Returns the drawing with its description for screen readers and without a fixed size. */
function framed(svg: string, name: string, size: string): string {
  const [, viewBox = ''] = /viewBox="([^"]*)"/.exec(svg) ?? []
  const drawing = svg.slice(svg.indexOf('>') + 1)
  return `<svg class="${size}" viewBox="${viewBox}" role="img" aria-label="${escaped(name)}">${drawing}`
}

const rejectLoad = (): Promise<never> =>
  Promise.reject(new Error('a chart must not load anything: all its data is inline'))

/** Charts load nothing, neither from the network nor from the disk. */
const noLoader: Loader = {
  load: rejectLoad,
  sanitize: rejectLoad,
  http: rejectLoad,
  file: rejectLoad,
}

const chartConfig: Config = {
  background: 'transparent',
  aria: false,
  font: 'system-ui',
  padding: 2,
  axis: {
    labelColor: color('soft'),
    titleColor: color('soft'),
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 'normal',
    gridColor: color('line'),
    domainColor: color('line'),
    tickColor: color('line'),
    labelPadding: 4,
    titlePadding: 6,
  },
  text: { color: color('ink'), fontSize: 11 },
  rule: { color: color('ink') },
  view: { stroke: null },
}

// Marks of a chart with a text of their own: tooltips, and the bars whose pull requests the page
// lists. A browser shows a title without a script; the script `bars` does the rest.

/** A mark with `aria: true` and this encoding is a bar of the page, by the text in the field. */
export const barTarget = { description: { field: 'target' } } as const

/** Covers a bar and the space around it, so that a low bar can be met as well. */
export const targetMark = { type: 'rect', color: 'transparent', aria: true } as const

/** Returns a row for each bar that lists something: `row` with the text of the target. */
export function targetRows<Row extends object>(
  bars: readonly (Bar | null)[],
  row: (index: number) => Row,
): (Row & { readonly target: string })[] {
  return bars.flatMap((bar, index) =>
    bar === null ? [] : [{ ...row(index), target: `bar ${index}: ${bar.about}` }],
  )
}

/** Turns descriptions of marks into titles and, for bars, their index into `data-bar`. */
function withTitles(svg: string): string {
  const titled = svg.replaceAll(
    /<path aria-label="(?:bar (\d+): )?([^"]*)" role="graphics-symbol" aria-roledescription="[^"]*"([^>]*)\/>/g,
    (_whole, index: string | undefined, about: string, rest: string) => {
      const bar = index === undefined ? '' : ` data-bar="${index}"`
      // What has no colour is met by the pointer only if it says so.
      const meets = / fill="/.test(rest) ? '' : ' pointer-events="all"'
      return `<path${bar}${rest}${meets}><title>${about}</title></path>`
    },
  )
  // A symbol needs a name, and the frames of marks have none.
  return titled.replaceAll(/ role="graphics-symbol" aria-roledescription="[^"]*"/g, '')
}
