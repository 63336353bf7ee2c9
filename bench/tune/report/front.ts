/** CI minutes against time in queue, and by colour how many healthy ones were evicted. */

import { color, type Chart } from '../../../sim/report/chart.ts'
import type { SettingResult, TuneDocument } from '../document.ts'

type Point = {
  readonly ci: number
  readonly ciLow: number
  readonly ciHigh: number
  readonly p95: number
  readonly p95Low: number
  readonly p95High: number
  readonly evicted: number
  readonly label: string
  readonly role: string
  readonly isOnFront: boolean
}

/** Roles in the order in which they are drawn, what matters on top. The verdict says what the choice is. */
export const roles = {
  dropped: { color: 'waiting', means: 'dropped: another was clearly better' },
  other: { color: 'series-8', means: 'tried' },
  front: { color: 'series-1', means: 'on the front' },
  today: { color: 'series-2', means: "today's" },
  choice: { color: 'good', means: null },
} as const

export function frontChart(document: TuneDocument, size: 'wide' | 'narrow'): Chart {
  const rows = document.settings.flatMap((setting) => pointOf(setting, document))
  const names = Object.keys(roles)
  return {
    name: 'CI minutes per merge against p95 time in queue, for every setting',
    width: size === 'wide' ? 900 : 300,
    height: size === 'wide' ? 420 : 300,
    rows,
    encoding: {
      x: axisOf('ci', 'CI minutes per merge'),
      y: axisOf('p95', 'time in queue p95, minutes'),
    },
    layer: [
      {
        transform: [{ filter: 'datum.isOnFront' }],
        mark: { type: 'rule', opacity: 0.45 },
        encoding: { x: { field: 'ciLow' }, x2: { field: 'ciHigh' } },
      },
      {
        transform: [{ filter: 'datum.isOnFront' }],
        mark: { type: 'rule', opacity: 0.45 },
        encoding: { y: { field: 'p95Low' }, y2: { field: 'p95High' } },
      },
      {
        mark: { type: 'circle', opacity: 0.95, stroke: color('paper'), strokeWidth: 1 },
        encoding: {
          size: {
            field: 'evicted',
            type: 'quantitative',
            scale: { range: [40, 420] },
            legend: null,
          },
          color: {
            field: 'role',
            type: 'nominal',
            scale: { domain: names, range: Object.values(roles).map((role) => color(role.color)) },
            legend: null,
          },
        },
      },
      {
        transform: [
          { filter: "datum.isOnFront || datum.role === 'today' || datum.role === 'choice'" },
        ],
        mark: { type: 'text', align: 'left', dx: 13, dy: -9, fontSize: 10 },
        encoding: { text: { field: 'label' } },
      },
    ],
  }
}

function axisOf(field: string, title: string) {
  return {
    field,
    type: 'quantitative' as const,
    scale: { zero: false, nice: true },
    axis: { title },
  }
}

function pointOf(setting: SettingResult, document: TuneDocument): Point[] {
  const { ciMinutes, p95, evicted } = setting.figures
  if (!ciMinutes || !p95) return []
  return [
    {
      ci: ciMinutes.mean,
      ciLow: ciMinutes.low,
      ciHigh: ciMinutes.high,
      p95: p95.mean,
      p95Low: p95.low,
      p95High: p95.high,
      evicted: evicted?.mean ?? 0,
      label: labelOf(setting, document),
      role: roleOf(setting, document),
      isOnFront: setting.isOnFront,
    },
  ]
}

/** The values alone, in the order of the axes: there is no room for their names. */
function labelOf({ labels }: SettingResult, { axes }: TuneDocument): string {
  const values = axes.map(({ name }) => labels[name]).filter((label) => label !== undefined)
  return values.length === 0 ? "today's" : values.join(' · ')
}

function roleOf(setting: SettingResult, { verdict }: TuneDocument): keyof typeof roles {
  if (verdict.kind !== 'keep' && setting.name === verdict.choice) return 'choice'
  if (setting.isToday) return 'today'
  if (setting.dropped) return 'dropped'
  return setting.isOnFront ? 'front' : 'other'
}
