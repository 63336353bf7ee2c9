/** The heat maps of the page: the figures that judge a setting, and folded the others. */

import { type Chart, chartForAnyScreen, color, heat, tooltip } from '../../../sim/html/chart.ts'
import { type Html, html } from '../../../sim/html/html.ts'
import { card, cards, folded } from '../../../sim/html/pieces.ts'
import { figure } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { type FigureName, figureNames, figureTable, titleOf } from '../figures.ts'
import { fastestFirst, meanIn } from '../sentences.ts'
import { headOf } from '../axes.ts'
import { aboutSetting, alikeOf, numbersOf } from './settings.ts'

/** Returns no section if nothing varies. */
export async function mapSections(document: TuneDocument) {
  const plane = planeOf(document)
  if (!plane) return []
  const about = mapsAbout(document, plane)
  return [{ id: 'maps', title: 'Figure by figure', about, body: await mapsOf(document, plane) }]
}

/** Explains the maps. Mentions only what they contain. */
function mapsAbout({ verdict, settings: all }: TuneDocument, { y, held, settings }: Plane): string {
  const isIn = (name: string): boolean => settings.some((setting) => setting.name === name)
  const today = all.find(({ isToday }) => isToday)
  const sentences = [
    'Means over the seeds. A stronger colour is a larger number; less is better.',
    today && isIn(today.name)
      ? "A dashed outline marks today's setting."
      : "Today's setting is not one of these.",
    ...(verdict.kind === 'change' && isIn(verdict.choice) ? ['Outlined in green: advised.'] : []),
    ...(settings.some(({ role }) => role === 'searched')
      ? ['A star marks a setting that left in the search; its mean is over a few other seeds.']
      : []),
    ...(y && settings.some((setting) => isWithoutEffect(setting, y))
      ? [`A cell as high as the map has no value for the ${y.title}, which has no effect there.`]
      : []),
    ...(held.length === 0
      ? []
      : [`In all of them: ${held.map((pair) => pair.join(' ')).join(', ')}.`]),
  ]
  return sentences.join(' ')
}

const unfolded: readonly FigureName[] = ['p95', 'ciMinutes', 'price', 'evicted', 'unproven']

async function mapsOf(document: TuneDocument, plane: Plane): Promise<Html> {
  const first = await drawn(unfolded, document, plane)
  const others = figureNames.filter((name) => !unfolded.includes(name))
  const more = await drawn(others, document, plane)
  return html`${cards(first, 3)}
  ${more.length === 0 ? null : folded(`${more.length} more figures`, cards(more, 3))}
  ${folded('show the settings of these maps as a table', numbersIn(plane, document))}`
}

/** What the tooltips of the cells say. */
function numbersIn({ settings }: Plane, document: TuneDocument): Html {
  return numbersOf(alikeOf(fastestFirst(settings), document), 'Figure by figure', document)
}

async function drawn(
  names: readonly FigureName[],
  { verdict }: TuneDocument,
  plane: Plane,
): Promise<Html[]> {
  const choice = verdict.kind === 'change' ? verdict.choice : null
  const maps: Html[] = []
  for (const name of names) {
    const isInformative = plane.settings.some((setting) => (meanIn(setting, name) ?? 0) > 0)
    if (!isInformative) continue
    const body = await chartForAnyScreen((size) => heatMap(plane, name, { choice, size }))
    maps.push(card({ title: titleOf(name), body }))
  }
  return maps
}

// Heat maps of one figure over two axes: a stronger colour is a larger number.

type PlaneAxis = TuneDocument['axes'][number]

type Plane = {
  readonly x: PlaneAxis
  readonly y: PlaneAxis | null
  /** The other axes, with the values of the recommended setting. */
  readonly held: readonly (readonly [title: string, label: string])[]
  /** The settings in this plane. */
  readonly settings: readonly SettingResult[]
}

/**
 * Returns the plane of the heat maps: batch size and wait if both vary, otherwise the first two
 * axes.
 * Returns null if nothing varies.
 */
function planeOf({ axes, settings, verdict }: TuneDocument): Plane | null {
  const named = (name: string): PlaneAxis | undefined => axes.find((axis) => axis.name === name)
  const [x, y = null] = [
    ...new Set([named('batch'), named('wait'), ...axes].filter((axis) => axis !== undefined)),
  ]
  if (!x) return null
  const others = axes.filter((axis) => axis !== x && axis !== y)
  const labelsOf = (name: string): SettingResult['labels'] =>
    settings.find((setting) => setting.name === name)?.labels ?? {}
  const at = { ...labelsOf(verdict.best), ...labelsOf(verdict.choice) }
  const held = others.map(({ name, title }) => [title, at[name] ?? ''] as const)
  const inPlane = settings.filter(
    ({ labels }) =>
      labels[x.name] !== undefined && others.every(({ name }) => labels[name] === at[name]),
  )
  return { x, y, held, settings: inPlane }
}

type Cell = {
  readonly x: string
  readonly y: string
  /** True if the value of `y` has no effect: the cell is as high as the map. */
  readonly isTall: boolean
  readonly text: string
  readonly step: number
  readonly ink: string
  readonly isToday: boolean
  readonly isChoice: boolean
  readonly about: string
}

/** A map with few cells has wider cells, so that its text is not enlarged. */
const sizes = {
  wide: { cell: 74, least: 380, height: 42 },
  narrow: { cell: 52, least: 230, height: 40 },
} as const

/** The title of the axis is as long as this. */
const leastHeight = 112

/** Returns the heat map of a figure. `choice` names the setting to outline; null for none. */
function heatMap(
  { x, y, settings }: Plane,
  name: FigureName,
  { choice, size }: { readonly choice: string | null; readonly size: 'wide' | 'narrow' },
): Chart {
  const { title } = figureTable[name]
  const rows = cellsOf({ x, y, settings }, name, choice)
  const { cell, least, height } = sizes[size]
  const all = y ? Math.max(leastHeight, height * y.values.length) : height
  const tall = rows.filter(({ isTall }) => isTall)
  const axis = { domain: false, ticks: false, labelAngle: 0 }
  return {
    name: `${title} by ${x.title}${y ? ` and ${y.title}` : ''}`,
    width: Math.max(least, cell * x.values.length),
    height: all,
    rows: rows.filter(({ isTall }) => !isTall),
    encoding: {
      x: {
        field: 'x',
        type: 'ordinal',
        sort: [...x.values],
        axis: { title: headOf(x), ...axis },
        scale: { paddingInner: 0.04, paddingOuter: 0 },
      },
      y: {
        field: 'y',
        type: 'ordinal',
        sort: y ? [...y.values] : null,
        axis: y ? { title: headOf(y), ...axis } : null,
        scale: { paddingInner: 0.06, paddingOuter: 0 },
      },
    },
    layer: tall.length === 0 ? cellLayers(size) : [...cellLayers(size), tallCells(tall, all, size)],
  }
}

/** Up to this step the normal text colour is readable on the cell, in light and in dark mode. */
const lastWithInk = 4

function cellsOf(
  { x, y, settings }: Pick<Plane, 'x' | 'y' | 'settings'>,
  name: FigureName,
  choice: string | null,
): Cell[] {
  const values = settings.flatMap((setting) => meanIn(setting, name) ?? [])
  const stepOf = stepsBetween(Math.min(...values), Math.max(...values))
  return settings.flatMap((setting): Cell[] => {
    const mean = meanIn(setting, name)
    if (mean === null) return []
    const step = stepOf(mean)
    return [
      {
        x: setting.labels[x.name] ?? '',
        y: y ? (setting.labels[y.name] ?? '') : '',
        isTall: y !== null && isWithoutEffect(setting, y),
        text: `${figure(mean)}${setting.role === 'searched' ? '*' : ''}`,
        step,
        ink: color(step > lastWithInk ? 'paper' : 'ink'),
        isToday: setting.isToday,
        isChoice: setting.name === choice,
        about: aboutSetting(setting),
      },
    ]
  })
}

/** True if the axis has no effect on the setting: its value is none of the axis. */
function isWithoutEffect({ labels }: SettingResult, { name, values }: PlaneAxis): boolean {
  return !values.includes(labels[name] ?? '')
}

/** Maps values linearly to steps, from 1 to the number of colours. Equal values map to 1. */
function stepsBetween(least: number, most: number): (value: number) => number {
  if (most === least) return () => 1
  return (value) =>
    Math.min(heat.length, 1 + Math.floor((heat.length * (value - least)) / (most - least)))
}

// How the cells of a heat map are drawn: in the grid, or as high as the whole map.

type Layer = Chart['layer'][number]

/** Without a height, a cell has the place of its values. */
function cellLayers(size: 'wide' | 'narrow', height: number | null = null): Layer[] {
  const isTall = height !== null
  const place = isTall ? { y: { value: 0 }, y2: { value: height } } : {}
  const middle = isTall ? { y: { value: height / 2 } } : {}
  const outline = (
    field: string,
    { stroke, strokeDash }: { readonly stroke: string; readonly strokeDash: number[] },
  ): Layer => ({
    transform: [{ filter: `datum.${field}` }],
    mark: {
      type: 'rect',
      fill: 'transparent',
      stroke: color(stroke),
      strokeWidth: 2.5,
      strokeDash,
      cornerRadius: 3,
      aria: true,
    },
    encoding: { ...tooltip, ...place },
  })
  return [
    {
      mark: { type: 'rect', cornerRadius: 3, aria: true },
      encoding: {
        ...tooltip,
        ...place,
        color: {
          field: 'step',
          type: 'ordinal',
          scale: { domain: heat.map((_, index) => index + 1), range: [...heat] },
          legend: null,
        },
      },
    },
    outline('isToday', { stroke: 'ink', strokeDash: [4, 3] }),
    outline('isChoice', { stroke: 'good', strokeDash: [1, 0] }),
    {
      mark: { type: 'text', fontSize: size === 'wide' ? 12 : 11 },
      encoding: {
        ...middle,
        text: { field: 'text' },
        color: { field: 'ink', type: 'nominal', scale: null },
      },
    },
  ]
}

/** Cells on which the other axis has no effect. */
function tallCells(rows: readonly object[], height: number, size: 'wide' | 'narrow'): Layer {
  return { data: { values: [...rows] }, layer: cellLayers(size, height) }
}
