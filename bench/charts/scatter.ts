/** A scatter chart of one figure against another, with intervals and labels. */

import { type Chart, chartInSizes, color, ownColor, tooltip } from '../../sim/html/chart.ts'
import type { Html } from '../../sim/html/html.ts'
import { card, cards, key } from '../../sim/html/components.ts'
import { type Interval, centreOf, lineOf } from '../../sim/statistics/interval.ts'
import { axisOver, isFarSpread } from './axis.ts'

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
}

/** The chart with its legend, in a card as wide as the page. */
export async function scatterCard(
  title: string,
  legend: Parameters<typeof key>[0],
  scatter: Scatter,
): Promise<Html> {
  const isFar = (['x', 'y'] as const).some((axis) => isFarSpread(drawnOf(scatter.dots, axis)))
  const picture = await chartInSizes(sizes, (size) => drawn(scatter, size))
  return cards([
    card({
      title,
      about: isFar ? 'An axis is logarithmic if its values are far apart.' : undefined,
      body: [key(legend), picture],
      isWide: true,
    }),
  ])
}

type Size = { readonly width: number; readonly height: number }

function drawn({ name, x, y, dots }: Scatter, { width, height }: Size): Chart {
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
        x: centreOf(dot.x),
        xLow: across.low,
        xHigh: across.high,
        y: centreOf(dot.y),
        yLow: up.low,
        yHigh: up.high,
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
          color: ownColor,
        },
      },
      ...labelLayers(spots, { width, height }),
    ],
  }
}

/** One layer per label that has room. The most important dots get their labels first. */
function labelLayers(spots: readonly Spot[], drawing: Size): Chart['layer'] {
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

// Places the labels of dots so that no label covers another label or a dot.

/** A dot. Coordinates are pixels from the upper left corner of the drawing. */
type Spot = {
  readonly x: number
  readonly y: number
  readonly radius: number
  /** Empty for a dot without a label. */
  readonly label: string
}

type Label = {
  readonly text: string
  /** The end of the text that is next to the dot. */
  readonly x: number
  /** The middle of the text height. */
  readonly y: number
  readonly align: 'left' | 'right'
}

const labelSize = 11

/** The average width of a letter, divided by its height. An upper estimate. */
const letterWidth = 0.56
const halfHeight = 7

type Box = {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * Returns the labels in the order of the spots. Earlier spots get the best positions. A spot
 * without a free position gets no label.
 */
export function labelsFor(spots: readonly Spot[], drawing: Size): Label[] {
  const dots = spots.map(({ x, y, radius }) => boxAround(x, y, radius))
  const taken: Box[] = []
  return mergedByPosition(spots).flatMap((spot) => {
    const label = positionsOf(spot).find((position) => {
      const box = boxOf(position)
      const isInside = box.left >= 0 && box.right <= drawing.width && box.top >= 0
      const isFree = ![...dots, ...taken].some((other) => overlaps(box, other))
      return isInside && box.bottom <= drawing.height && isFree
    })
    if (!label) return []
    taken.push(boxOf(label))
    return [label]
  })
}

function mergedByPosition(spots: readonly Spot[]): Spot[] {
  const byPosition = new Map<string, Spot>()
  for (const spot of spots.filter(({ label }) => label !== '')) {
    const position = `${Math.round(spot.x)} ${Math.round(spot.y)}`
    const other = byPosition.get(position)
    byPosition.set(position, other ? { ...other, label: `${other.label}, ${spot.label}` } : spot)
  }
  return [...byPosition.values()]
}

/**
 * The possible positions of a label, the nearest first. They avoid the interval lines of the dot.
 */
function positionsOf({ x, y, radius, label }: Spot): Label[] {
  return [2, 10, 18, 26].flatMap((gap) => {
    const [across, along] = [radius * 0.7 + 2, radius * 0.7 + 4 + gap]
    return [-along, along].flatMap((dy): Label[] => [
      { text: label, x: x + across, y: y + dy, align: 'left' },
      { text: label, x: x - across, y: y + dy, align: 'right' },
    ])
  })
}

function boxOf({ text, x, y, align }: Label): Box {
  const width = text.length * labelSize * letterWidth
  const left = align === 'left' ? x : x - width
  return { left, right: left + width, top: y - halfHeight, bottom: y + halfHeight }
}

function boxAround(x: number, y: number, radius: number): Box {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
