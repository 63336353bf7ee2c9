/** The chart of CI minutes against time in queue. The size of a dot shows the healthy evictions. */

import type { Chart } from '../../../sim/report/page/chart.ts'
import { scatterChart, type Dot } from '../../charts/scatter.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import { meanIn } from '../sentences.ts'

/** The colours and names of the dots. The name of the choice depends on the verdict. */
export const roles = {
  dropped: { color: 'waiting', means: 'left in the search, after a few other seeds' },
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
  const { ciMinutes, p95 } = setting.figures
  if (!ciMinutes || !p95) return []
  const role = roleOf(setting, document)
  const isOnFront = isOn(setting, document)
  const isNamed = isOnFront || role === 'today' || role === 'choice'
  return [
    {
      x: ciMinutes.mean,
      y: p95.mean,
      weight: meanIn(setting, 'evicted') ?? 0,
      color: roles[role].color,
      label: isNamed ? labelOf(setting, document) : '',
      hasLines: isOnFront,
    },
  ]
}

/** The values in the order of the axes, without the axis names, which would take too much room. */
function labelOf({ labels }: SettingResult, { axes }: TuneDocument): string {
  const values = axes.map(({ name }) => labels[name]).filter((label) => label !== undefined)
  return values.length === 0 ? "today's" : values.join(' · ')
}

/** True if no other setting of the final is cheaper and faster. */
function isOn(setting: SettingResult, { settings }: TuneDocument): boolean {
  const at = (each: SettingResult): [number, number] => [
    meanIn(each, 'ciMinutes') ?? Infinity,
    meanIn(each, 'p95') ?? Infinity,
  ]
  const [x, y] = at(setting)
  return (
    setting.role !== 'searched' &&
    !settings.some((other) => {
      const [otherX, otherY] = at(other)
      return other.role !== 'searched' && otherX < x && otherY < y
    })
  )
}

function roleOf(setting: SettingResult, document: TuneDocument): Role {
  const { verdict } = document
  if (verdict.kind === 'change' && setting.name === verdict.choice) return 'choice'
  if (setting.isToday) return 'today'
  if (setting.role === 'searched') return 'dropped'
  return isOn(setting, document) ? 'front' : 'other'
}
