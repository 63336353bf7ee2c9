/** What one figure costs in another: a dot for everybody, with intervals and names. */

import { color, type Chart } from '../../sim/report/chart.ts'
import type { Interval } from '../statistics/interval.ts'
import { axisOver, isFarSpread } from './axis.ts'
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
  const axes = {
    x: axisOver(drawnOf(dots, 'x'), { wanted: width / 90, room: 0.06 }),
    y: axisOver(drawnOf(dots, 'y'), { wanted: height / 50, room: 0.06 }),
  }
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
  const spots = dots.map((dot) => ({
    x: width * axes.x.placeOf(dot.x.mean),
    y: height * (1 - axes.y.placeOf(dot.y.mean)),
    radius: Math.sqrt(areaOf(dot.weight) / Math.PI),
    label: dot.label,
  }))
  return {
    name,
    width,
    height,
    rows,
    encoding: {
      x: {
        field: 'x',
        type: 'quantitative',
        scale: axes.x.scale,
        axis: { title: x, ...axes.x.ticks },
      },
      y: {
        field: 'y',
        type: 'quantitative',
        scale: axes.y.scale,
        axis: { title: y, ...axes.y.ticks },
      },
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

type Ends = {
  readonly [end in 'x' | 'x2' | 'y' | 'y2']?: { readonly field: string }
}

function ruler(values: readonly object[], encoding: Ends): Chart['layer'][number] {
  return { data: { values: [...values] }, mark: { type: 'rule', opacity: 0.45 }, encoding }
}

/** Whether some lie so far off that an axis goes by factors. */
export function isByFactors(dots: readonly Dot[]): boolean {
  return (['x', 'y'] as const).some((axis) => isFarSpread(drawnOf(dots, axis)))
}

/** All that is drawn along an axis. */
function drawnOf(dots: readonly Dot[], axis: 'x' | 'y'): number[] {
  return dots.flatMap((dot) => {
    const { mean, low, high } = dot[axis]
    return dot.hasLines ? [low, mean, high] : [mean]
  })
}

/** Square pixels, evenly from the smallest to the largest. */
function areasBetween(weights: readonly number[]): (weight: number) => number {
  const [least, most] = [Math.min(...weights), Math.max(...weights)]
  return (weight) => (most === least ? 120 : 45 + (375 * (weight - least)) / (most - least))
}
