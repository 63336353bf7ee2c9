/**
 * Charts as inline SVG, drawn when the report is made, so that they need no script to be read.
 * Importing this loads the chart library: do it only when there is a report to write.
 */

import { hash } from 'node:crypto'
import { Error as errorsOnly, parse, View, type Loader } from 'vega'
import { compile, type Config, type TopLevelSpec } from 'vega-lite'
import { escaped, html, trusted, type Html } from './html.ts'

type Layered = Extract<TopLevelSpec, { layer: unknown[] }>

export type Chart = {
  /** What it shows, in a sentence, for those who do not see it. */
  readonly name: string
  /** Inside the axes. */
  readonly width: number
  readonly height: number
  /** What is drawn; layers without `data` of their own draw these. */
  readonly rows: readonly object[]
} & Pick<Layered, 'layer' | 'encoding' | 'transform' | 'resolve'>

/** One of the style's colours, as a chart takes it. */
export const color = (name: string): string => `var(--${name})`

/**
 * From little to much, for heat maps: as the range of a `quantize` or `threshold` scale. Between
 * variables no scale can mix, so never of a `linear` one.
 */
export const heat: readonly string[] = [1, 2, 3, 4, 5, 6, 7].map((step) => color(`heat-${step}`))

/** The chart as an `svg` element that is as wide as where it stands. Same input, same bytes. */
export async function chart({ name, width, height, rows, ...picture }: Chart): Promise<Html> {
  return trusted(framed(await svgOf({ width, height, rows, ...picture }), name, ''))
}

/** Drawn twice, wide and for a phone; the style shows the one that fits. */
export async function chartForAnyScreen(draw: (size: 'wide' | 'narrow') => Chart): Promise<Html> {
  const sizes = ['wide', 'narrow'] as const
  const both = await Promise.all(
    sizes.map(async (size) => {
      const { name, ...picture } = draw(size)
      return trusted(framed(await svgOf(picture), name, size))
    }),
  )
  return html`${both}`
}

async function svgOf({ width, height, rows, ...picture }: Omit<Chart, 'name'>): Promise<string> {
  const spec: TopLevelSpec = { width, height, data: { values: [...rows] }, ...picture }
  const { spec: drawing } = compile(spec, { config: look })
  const view = new View(parse(drawing), { renderer: 'none', logLevel: errorsOnly, loader: nobody })
  const svg = await view.toSVG()
  view.finalize()
  return withOwnIds(svg)
}

/**
 * The library counts the names inside its drawings on and on. Here they are named after what is
 * drawn: always alike, and different in every chart of a page.
 */
function withOwnIds(svg: string): string {
  const ids = [...new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))]
  if (ids.length === 0) return svg
  const renamed = (prefix: string): string => {
    const names = new Map(ids.map((id, index) => [id, `${prefix}-${index}`]))
    return svg.replaceAll(
      /( id="|url\(#|href="#)([^")]+)/g,
      (whole, before: string, id: string) => `${before}${names.get(id) ?? whole}`,
    )
  }
  return renamed(`c${hash('sha1', renamed('c')).slice(0, 8)}`)
}

/** The drawing with its name, without a size of its own. */
function framed(svg: string, name: string, size: string): string {
  const [, viewBox = ''] = /viewBox="([^"]*)"/.exec(svg) ?? []
  const drawing = svg.slice(svg.indexOf('>') + 1)
  return `<svg class="${size}" viewBox="${viewBox}" role="img" aria-label="${escaped(name)}">${drawing}`
}

const refused = (): Promise<never> => Promise.reject(new Error('charts hold all their data'))

/** Charts fetch nothing, neither from the net nor from the disk. */
const nobody: Loader = { load: refused, sanitize: refused, http: refused, file: refused }

const look: Config = {
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
  legend: {
    labelColor: color('ink'),
    titleColor: color('soft'),
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 'normal',
    symbolType: 'square',
    orient: 'top',
    title: null,
  },
  text: { color: color('ink'), fontSize: 11 },
  rule: { color: color('ink') },
  view: { stroke: null },
  range: {
    category: [1, 2, 3, 4, 5, 6, 7, 8].map((index) => color(`series-${index}`)),
  },
}
