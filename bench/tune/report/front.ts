/** CI minutes against time in queue, and by size how many healthy ones were evicted. */

import type { Chart } from '../../../sim/report/chart.ts'
import { scatterChart, type Dot } from '../../charts/scatter.ts'
import type { SettingResult, TuneDocument } from '../document.ts'

/** In the order in which they are drawn, what matters on top. The verdict says what the choice is. */
export const roles = {
  dropped: { color: 'waiting', means: 'dropped: another was clearly better' },
  other: { color: 'series-8', means: 'tried' },
  front: { color: 'series-1', means: 'on the front' },
  today: { color: 'series-2', means: "today's" },
  choice: { color: 'good', means: null },
} as const

export type Role = keyof typeof roles

const order: readonly Role[] = ['dropped', 'other', 'front', 'today', 'choice']

/** Those that somebody has, in the order in which they are drawn. */
export function rolesIn(document: TuneDocument): Role[] {
  const found = new Set(document.settings.map((setting) => roleOf(setting, document)))
  return order.filter((role) => found.has(role))
}

export function frontDots(document: TuneDocument): Dot[] {
  const place = (setting: SettingResult): number => order.indexOf(roleOf(setting, document))
  return document.settings
    .toSorted((a, b) => place(a) - place(b))
    .flatMap((setting) => dotOf(setting, document))
}

export function frontChart(dots: readonly Dot[], size: 'wide' | 'narrow'): Chart {
  return scatterChart(
    {
      name: 'CI minutes per merge against p95 time in queue, for every setting',
      x: 'CI minutes per merge',
      y: 'time in queue p95, minutes',
      dots,
    },
    size,
  )
}

function dotOf(setting: SettingResult, document: TuneDocument): Dot[] {
  const { ciMinutes, p95, evicted } = setting.figures
  if (!ciMinutes || !p95) return []
  const role = roleOf(setting, document)
  const isNamed = setting.isOnFront || role === 'today' || role === 'choice'
  return [
    {
      x: ciMinutes,
      y: p95,
      weight: evicted?.mean ?? 0,
      color: roles[role].color,
      label: isNamed ? labelOf(setting, document) : '',
      hasLines: setting.isOnFront,
    },
  ]
}

/** The values alone, in the order of the axes: there is no room for their names. */
function labelOf({ labels }: SettingResult, { axes }: TuneDocument): string {
  const values = axes.map(({ name }) => labels[name]).filter((label) => label !== undefined)
  return values.length === 0 ? "today's" : values.join(' · ')
}

function roleOf(setting: SettingResult, { verdict }: TuneDocument): Role {
  if (verdict.kind !== 'keep' && setting.name === verdict.choice) return 'choice'
  if (setting.isToday) return 'today'
  if (setting.dropped) return 'dropped'
  return setting.isOnFront ? 'front' : 'other'
}
