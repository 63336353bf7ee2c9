/** Heat maps of one figure over two axes: a stronger colour is a larger number. */

import { color, heat, type Chart } from '../../../sim/report/page/chart.ts'
import { headOf } from '../settings/axes.ts'
import { figure } from '../../statistics/text.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { meanIn } from '../sentences.ts'
import { figureTable, type FigureName } from '../figures/figures.ts'
import { aboutSetting } from './about-setting.ts'
import { cellLayers, tallCells } from './heat-cells.ts'

type PlaneAxis = TuneDocument['axes'][number]

export type Plane = {
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
export function planeOf({ axes, settings, verdict }: TuneDocument): Plane | null {
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
export function heatMap(
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
export function isWithoutEffect({ labels }: SettingResult, { name, values }: PlaneAxis): boolean {
  return !values.includes(labels[name] ?? '')
}

/** Maps values linearly to steps, from 1 to the number of colours. Equal values map to 1. */
function stepsBetween(least: number, most: number): (value: number) => number {
  if (most === least) return () => 1
  return (value) =>
    Math.min(heat.length, 1 + Math.floor((heat.length * (value - least)) / (most - least)))
}
