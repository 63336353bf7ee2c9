/** How a figure grows, on axes by factors: what grows in proportion is straight, what stays is flat. */

import { count } from '../../sim/command-line/text.ts'
import { chartForAnyScreen, color } from '../../sim/report/chart.ts'
import type { Html } from '../../sim/report/html.ts'
import type { Curve, Unit } from '../measuring/measured.ts'
import { inWords } from './words.ts'

export function curveChart({ name, x, y, unit, points }: Curve): Promise<Html> {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)]
  return chartForAnyScreen((size) => ({
    name,
    width: size === 'wide' ? 360 : 230,
    height: size === 'wide' ? 200 : 160,
    rows: points,
    encoding: {
      x: axisOf('x', x, factorTicks(xs, null, size === 'wide' ? 7 : 5), null),
      y: axisOf('y', y, factorTicks(ys, unit, 7), unit),
    },
    layer: [
      {
        mark: { type: 'line', color: color('series-1'), point: { color: color('series-1') } },
      },
    ],
  }))
}

function axisOf(field: 'x' | 'y', title: string, ticks: readonly number[], unit: Unit | null) {
  const labels = Object.fromEntries(ticks.map((tick) => [String(tick), labelOf(tick, unit)]))
  const labelExpr = `${JSON.stringify(labels)}[datum.value]`
  return {
    field,
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], nice: false },
    axis: { title, values: [...ticks], labelExpr },
  }
}

/** `500`, `20 k`, `1 M`; with its unit where it has one. */
function labelOf(tick: number, unit: Unit | null): string {
  if (unit !== null) return inWords(tick, unit)
  if (tick >= 1e6) return `${count(tick / 1e6)} M`
  return tick >= 1e4 ? `${count(tick / 1e3)} k` : count(tick)
}

/** Round numbers, from the closest to the widest apart. */
const decimalSteps = [
  { base: 10, within: [1, 2, 5] },
  { base: 10, within: [1] },
  { base: 100, within: [1] },
]
const binarySteps = [
  { base: 2, within: [1] },
  { base: 4, within: [1] },
  { base: 16, within: [1] },
]

/** From below the least to above the most: two at least, and up to `wanted`, as far as possible. */
export function factorTicks(
  values: readonly number[],
  unit: Unit | null,
  wanted: number,
): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const found = (unit === 'bytes' ? binarySteps : decimalSteps).map(({ base, within }) => {
    const powerBelow = (value: number): number => Math.floor(Math.log(value) / Math.log(base))
    const all: number[] = []
    for (let power = powerBelow(least) - 1; power <= powerBelow(most) + 1; power++) {
      all.push(...within.map((step) => Number((step * base ** power).toPrecision(15))))
    }
    const first = all.findLastIndex((tick) => tick <= least)
    const last = all.findIndex((tick) => tick >= most)
    return all.slice(first, Math.max(last, first + 1) + 1)
  })
  return found.find((ticks) => ticks.length <= wanted) ?? found.at(-1) ?? []
}
