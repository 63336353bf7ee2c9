/** What one figure costs in another: a dot for everybody, with intervals and names. */

import { color, type Chart } from '../../sim/report/chart.ts'
import type { Interval } from '../statistics/interval.ts'
import { labelSize, labelsFor } from './labels.ts'

export type Dot = {
  readonly x: Interval
  readonly y: Interval
  /** The more, the larger. */
  readonly weight: number
  /** A colour of the style. */
  readonly color: string
  /** Empty for none; shown where there is room. */
  readonly label: string
  /** Whether its intervals are drawn as lines. */
  readonly hasLines: boolean
}

export type Scatter = {
  /** What is shown, for those who do not see it. */
  readonly name: string
  readonly x: string
  readonly y: string
  /** Those that matter most come last, and lie on top. */
  readonly dots: readonly Dot[]
}

const sizes = {
  wide: { width: 1100, height: 440 },
  narrow: { width: 300, height: 300 },
} as const

export function scatterChart({ name, x, y, dots }: Scatter, size: 'wide' | 'narrow'): Chart {
  const { width, height } = sizes[size]
  const domains = { x: domainOf(dots, 'x'), y: domainOf(dots, 'y') }
  const areaOf = areasBetween(dots.map(({ weight }) => weight))
  const rows = dots.map((dot) => ({
    x: dot.x.mean,
    y: dot.y.mean,
    area: areaOf(dot.weight),
    color: color(dot.color),
  }))
  const lines = dots
    .filter(({ hasLines }) => hasLines)
    .map((dot) => ({
      ...{ x: dot.x.mean, xLow: dot.x.low, xHigh: dot.x.high },
      ...{ y: dot.y.mean, yLow: dot.y.low, yHigh: dot.y.high },
    }))
  const pixels = {
    x: (value: number) => (width * (value - domains.x[0])) / (domains.x[1] - domains.x[0]),
    y: (value: number) => (height * (domains.y[1] - value)) / (domains.y[1] - domains.y[0]),
  }
  const spots = dots.map((dot) => ({
    x: pixels.x(dot.x.mean),
    y: pixels.y(dot.y.mean),
    radius: Math.sqrt(areaOf(dot.weight) / Math.PI),
    label: dot.label,
  }))
  return {
    name,
    width,
    height,
    rows,
    encoding: {
      x: axisOf('x', x, domains.x, width / 90),
      y: axisOf('y', y, domains.y, height / 50),
    },
    layer: [
      ruler(lines, { x: { field: 'xLow' }, x2: { field: 'xHigh' } }),
      ruler(lines, { y: { field: 'yLow' }, y2: { field: 'yHigh' } }),
      {
        mark: { type: 'circle', opacity: 0.95, stroke: color('paper'), strokeWidth: 1 },
        encoding: {
          size: { field: 'area', type: 'quantitative', scale: null, legend: null },
          color: { field: 'color', type: 'nominal', scale: null },
        },
      },
      // What matters most gets its label first.
      ...labelsFor(spots.toReversed(), { width, height }).map(({ text, align, ...at }) => ({
        data: { values: [{}] },
        mark: {
          type: 'text',
          text,
          align,
          baseline: 'middle',
          fontSize: labelSize,
          stroke: color('paper'),
          strokeWidth: 3,
        } as const,
        encoding: { x: { value: at.x }, y: { value: at.y } },
      })),
    ],
  }
}

function axisOf(field: string, title: string, domain: readonly number[], tickCount: number) {
  return {
    field,
    type: 'quantitative' as const,
    scale: { domain: [...domain], nice: false, zero: false },
    axis: { title, tickCount: Math.floor(tickCount) },
  }
}

type Ends = {
  readonly [end in 'x' | 'x2' | 'y' | 'y2']?: { readonly field: string }
}

function ruler(values: readonly object[], encoding: Ends): Chart['layer'][number] {
  return { data: { values: [...values] }, mark: { type: 'rule', opacity: 0.45 }, encoding }
}

/** From the least to the most that is drawn, with some room around. */
function domainOf(dots: readonly Dot[], axis: 'x' | 'y'): readonly [number, number] {
  const values = dots.flatMap((dot) => {
    const { mean, low, high } = dot[axis]
    return dot.hasLines ? [low, high] : [mean]
  })
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const room = least === most ? 1 : 0.06 * (most - least)
  // Times and costs are never below nothing.
  return [Math.max(Math.min(0, least), least - room), most + room]
}

/** Square pixels, evenly from the smallest to the largest. */
function areasBetween(weights: readonly number[]): (weight: number) => number {
  const [least, most] = [Math.min(...weights), Math.max(...weights)]
  return (weight) => (most === least ? 120 : 45 + (375 * (weight - least)) / (most - least))
}
