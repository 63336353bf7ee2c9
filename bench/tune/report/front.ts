/** The chart of CI minutes against time in queue. The size of a dot shows the healthy evictions. */

import type { Chart } from '../../../sim/report/page/chart.ts'
import { scatterChart, type Dot } from '../../charts/scatter.ts'
import { centreOf } from '../../statistics/interval.ts'
import type { SettingResult, TuneDocument } from '../document.ts'

/** The colours and names of the dots. The name of the choice depends on the verdict. */
export const roles = {
  dropped: { color: 'waiting', means: 'dropped: another one was significantly better' },
  other: { color: 'series-8', means: 'not on the front' },
  front: { color: 'series-1', means: 'on the front' },
  today: { color: 'series-2', means: "today's" },
  choice: { color: 'good', means: null },
} as const

export type Role = keyof typeof roles

/** The drawing order: the most important dots are on top. */
const order: readonly Role[] = ['dropped', 'other', 'front', 'today', 'choice']

/** Returns the roles that occur in the document, in drawing order. */
export function rolesIn(document: TuneDocument): Role[] {
  const found = new Set(document.settings.map((setting) => roleOf(setting, document)))
  return order.filter((role) => found.has(role))
}

/** Returns a dot for each setting in which something merged, in drawing order. */
export function frontDots(document: TuneDocument): Dot[] {
  const position = (setting: SettingResult): number => order.indexOf(roleOf(setting, document))
  return document.settings
    .toSorted((a, b) => position(a) - position(b))
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
      weight: evicted ? centreOf(evicted) : 0,
      color: roles[role].color,
      label: isNamed ? labelOf(setting, document) : '',
      hasLines: setting.isOnFront,
    },
  ]
}

/** The values in the order of the axes, without the axis names, which would take too much room. */
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
