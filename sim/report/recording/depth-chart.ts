/** The number of pull requests in the queue over time, by phase. */

import { duration } from '../../../server/terminal/text.ts'
import { toMinutes } from '../../scenario/time.ts'
import { chartForWideCard, color, tooltip, type Chart, targetMark } from '../../html/chart.ts'
import type { Html } from '../../html/html.ts'
import { depthOf, type DepthStep, joinedSteps } from './depth.ts'
import { phases, type Phase } from './phase.ts'
import { timeAxis } from '../../html/charts/time-axis.ts'

/** The names and colours of the phases in all parts of a report. */
export const phaseStyles: Readonly<Record<Phase, { color: string; means: string }>> = {
  testing: { color: 'testing', means: 'under test' },
  passed: { color: 'passed', means: 'passed, waits for predecessors' },
  held: { color: 'held', means: 'failed, not final yet' },
  bisecting: { color: 'bisecting', means: 'in a bisection' },
  waiting: { color: 'waiting', means: 'waits for a run' },
  notReady: { color: 'line', means: 'not ready' },
}

/** Returns the phases that occur, in their usual order. */
export function phasesIn(steps: readonly DepthStep[]): Phase[] {
  return phases.filter((phase) => steps.some(({ means }) => means[phase] > 0))
}

export type DepthPicture = {
  /** Describes the chart to screen readers. */
  readonly name: string
  /** At least one. The axis counts from the first. */
  readonly steps: readonly DepthStep[]
  /** The times of violations, in minutes. */
  readonly violations: readonly number[]
}

const sizes = {
  wide: { width: 1100, height: 220, labels: 14 },
  medium: { width: 660, height: 180, labels: 9 },
  narrow: { width: 320, height: 180, labels: 5 },
} as const

/** The tooltips are those of at most this many steps. */
const tooltips = 48

export function depthChart({ name, steps, violations }: DepthPicture): Promise<Html> {
  const start = toMinutes(steps[0]?.from ?? 0)
  const minutes = (at: number): number => toMinutes(at) - start
  const end = minutes(steps.at(-1)?.to ?? 0)
  const marks = violations
    .map((at) => ({ at: at - start }))
    .filter(({ at }) => at >= 0 && at <= end)
  const x = { field: 'at', type: 'quantitative' } as const
  return chartForWideCard((size): Chart => {
    const { width, height, labels } = sizes[size]
    return {
      name,
      width,
      height,
      rows: areaRows(steps, minutes),
      layer: [
        areas(phasesIn(steps), end, labels),
        {
          data: { values: lineRows(steps, minutes) },
          mark: { type: 'line', interpolate: 'step-after', color: color('ink'), strokeWidth: 1 },
          encoding: { x, y: { field: 'most', type: 'quantitative' } },
        },
        {
          data: { values: marks },
          mark: { type: 'rule', color: color('bad'), strokeWidth: 2 },
          encoding: { x },
        },
        {
          data: { values: joinedSteps(steps, tooltips).map((step) => tipOf(step, minutes)) },
          mark: targetMark,
          encoding: {
            ...tooltip,
            x: { field: 'from', type: 'quantitative' },
            x2: { field: 'to' },
            y: { value: 0 },
            y2: { value: height },
          },
        },
      ],
    }
  })
}

/** `labels` is how many labels the time axis has, about. */
function areas(used: readonly Phase[], end: number, labels: number): Chart['layer'][number] {
  return {
    mark: { type: 'area', interpolate: 'step-after' },
    encoding: {
      x: {
        field: 'at',
        type: 'quantitative',
        axis: { ...timeAxis(end, labels), title: null, grid: false },
        scale: { domain: [0, end], nice: false },
      },
      y: {
        field: 'count',
        type: 'quantitative',
        axis: { title: null, tickCount: 5, format: ',d', tickMinStep: 1 },
      },
      order: { field: 'order', type: 'quantitative' },
      color: {
        field: 'phase',
        type: 'nominal',
        scale: {
          domain: used.map((phase) => phaseStyles[phase].means),
          range: used.map((phase) => color(phaseStyles[phase].color)),
        },
        legend: null,
      },
    },
  }
}

/** A mean below one has more digits: most of a sparse history is between 0.001 and 0.1. */
export function meanText(mean: number): string {
  if (mean === 0) return '0'
  return mean < 0.0005 ? '< 0.001' : mean.toFixed(mean < 1 ? 3 : 1)
}

type ToMinutes = (at: number) => number

function areaRows(steps: readonly DepthStep[], minutes: ToMinutes): object[] {
  const order = Object.keys(phaseStyles)
  const used = phasesIn(steps)
  return corners(steps, ({ means }) => JSON.stringify(means)).flatMap(({ at, step }) =>
    used.map((phase) => ({
      at: minutes(at),
      phase: phaseStyles[phase].means,
      order: order.indexOf(phase),
      count: step.means[phase],
    })),
  )
}

function lineRows(steps: readonly DepthStep[], minutes: ToMinutes): object[] {
  return corners(steps, ({ most }) => most).map(({ at, step: { most } }) => ({
    at: minutes(at),
    most,
  }))
}

/** Returns where the value changes, and the end of the last step: a line needs no more. */
function corners(
  steps: readonly DepthStep[],
  valueOf: (step: DepthStep) => unknown,
): { readonly at: number; readonly step: DepthStep }[] {
  const changed = steps.filter((step, index) => {
    const before = steps[index - 1]
    return before === undefined || valueOf(before) !== valueOf(step)
  })
  const last = steps.at(-1)
  return [
    ...changed.map((step) => ({ at: step.from, step })),
    ...(last ? [{ at: last.to, step: last }] : []),
  ]
}

function tipOf({ from, to, means, most }: DepthStep, minutes: ToMinutes): object {
  const [begin, end] = [minutes(from), minutes(to)]
  const about = `${duration(begin)} to ${duration(end)}: ${meanText(depthOf(means))} on average, ${most} at most`
  return { from: begin, to: end, about }
}
