/** A scatter chart of one figure against another, with intervals and labels. */

import { color, tooltip, type Chart } from '../../sim/report/page/chart.ts'
import { centreOf, lineOf, type Interval } from '../../sim/statistics/interval.ts'
import { axisOver, isFarSpread } from './axis.ts'
import { labelSize, labelsFor, type Spot } from './labels.ts'

export type Dot = {
  readonly x: Interval
  readonly y: Interval
  /** Determines the size of the dot. */
  readonly weight: number
  /** The name of a colour in the style. */
  readonly color: string
  /** Empty for a dot without a label. Shown only if there is room. */
  readonly label: string
  /** The tooltip; none without it. */
  readonly about?: string
  /** True if a ring marks the dot. */
  readonly isRinged?: boolean
  /** True if the intervals are drawn as lines. */
  readonly hasLines: boolean
}

export type Scatter = {
  /** The description for screen readers. */
  readonly name: string
  /** The titles of the axes. */
  readonly x: string
  readonly y: string
  /** In drawing order: the most important dots come last and are on top. */
  readonly dots: readonly Dot[]
}

const sizes = {
  wide: { width: 1100, height: 440 },
  medium: { width: 640, height: 360 },
  narrow: { width: 300, height: 300 },
} as const

/** Returns a scatter chart for a wide screen, a tablet or a phone. */
export function scatterChart({ name, x, y, dots }: Scatter, size: keyof typeof sizes): Chart {
  const { width, height } = sizes[size]
  const axes = {
    x: axisOver(drawnOf(dots, 'x'), { wanted: width / 90, padding: 0.06 }),
    y: axisOver(drawnOf(dots, 'y'), { wanted: height / 50, padding: 0.06 }),
  }
  const areaOf = areasBetween(dots.map(({ weight }) => weight))
  const rows = dots.map((dot) => ({
    x: centreOf(dot.x),
    y: centreOf(dot.y),
    area: areaOf(dot.weight),
    color: color(dot.color),
    about: dot.about ?? null,
    ring: color(dot.isRinged === true ? 'ink' : 'paper'),
    ringWidth: dot.isRinged === true ? 2 : 1,
  }))
  const lines = dots
    .filter(({ hasLines }) => hasLines)
    .map((dot) => {
      const [across, up] = [lineOf(dot.x), lineOf(dot.y)]
      return {
        ...{ x: centreOf(dot.x), xLow: across.low, xHigh: across.high },
        ...{ y: centreOf(dot.y), yLow: up.low, yHigh: up.high },
      }
    })
  const spots = dots.map((dot) => ({
    x: width * axes.x.positionOf(centreOf(dot.x)),
    y: height * (1 - axes.y.positionOf(centreOf(dot.y))),
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
        mark: { type: 'circle', opacity: 0.95, aria: true },
        encoding: {
          ...tooltip,
          stroke: { field: 'ring', type: 'nominal', scale: null },
          strokeWidth: { field: 'ringWidth', type: 'quantitative', scale: null, legend: null },
          size: { field: 'area', type: 'quantitative', scale: null, legend: null },
          color: { field: 'color', type: 'nominal', scale: null },
        },
      },
      ...labelLayers(spots, { width, height }),
    ],
  }
}

/** One layer per label that has room. The most important dots get their labels first. */
function labelLayers(
  spots: readonly Spot[],
  drawing: { readonly width: number; readonly height: number },
): Chart['layer'] {
  return labelsFor(spots.toReversed(), drawing).map(({ text, align, ...at }) => ({
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
  }))
}

type Ends = {
  readonly [end in 'x' | 'x2' | 'y' | 'y2']?: { readonly field: string }
}

function ruler(values: readonly object[], encoding: Ends): Chart['layer'][number] {
  return { data: { values: [...values] }, mark: { type: 'rule', opacity: 0.45 }, encoding }
}

/** True if one of the axes is logarithmic, because the values are far apart. */
export function hasLogarithmicAxis(dots: readonly Dot[]): boolean {
  return (['x', 'y'] as const).some((axis) => isFarSpread(drawnOf(dots, axis)))
}

/** All values that are drawn along an axis. */
function drawnOf(dots: readonly Dot[], axis: 'x' | 'y'): number[] {
  return dots.flatMap((dot) => {
    const mean = centreOf(dot[axis])
    const { low, high } = lineOf(dot[axis])
    return dot.hasLines ? [low, mean, high] : [mean]
  })
}

/** Maps weights to areas in square pixels, linearly from the smallest to the largest. */
function areasBetween(weights: readonly number[]): (weight: number) => number {
  const [least, most] = [Math.min(...weights), Math.max(...weights)]
  return (weight) => (most === least ? 120 : 45 + (375 * (weight - least)) / (most - least))
}
