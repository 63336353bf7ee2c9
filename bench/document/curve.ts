/**
 * Draws how a figure grows. On its logarithmic axes proportional growth is a straight line and a
 * constant cost is a flat line.
 */

import { chartForAnyScreen, color } from '../../sim/report/page/chart.ts'
import type { Html } from '../../sim/report/page/html.ts'
import type { Curve, Unit } from '../measuring/measurement.ts'
import { factorTicks, shortCount } from '../charts/ticks.ts'
import { inWords } from './format.ts'

export function curveChart({ name, x, y, unit, points }: Curve): Promise<Html> {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)]
  return chartForAnyScreen((size) => ({
    name,
    width: size === 'wide' ? 360 : 230,
    height: size === 'wide' ? 200 : 160,
    rows: points,
    encoding: {
      x: axisOf('x', x, factorTicks(xs, 'tens', size === 'wide' ? 7 : 5), null),
      y: axisOf('y', y, factorTicks(ys, unit === 'bytes' ? 'twos' : 'tens', 7), unit),
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

function labelOf(tick: number, unit: Unit | null): string {
  return unit === null ? shortCount(tick) : inWords(tick, unit)
}
