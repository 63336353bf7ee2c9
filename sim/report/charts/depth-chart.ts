/** The number of pull requests in the queue over time, by phase. */

import { toMinutes } from '../../scenario/time.ts'
import { chartForAnyScreen, color } from '../page/chart.ts'
import type { Html } from '../page/html.ts'
import { depthOf, type DepthSample } from '../recording/depth.ts'
import { phases, type Phase } from '../recording/phase.ts'
import { timeAxis } from './time-axis.ts'

/** The names and colours of the phases in all parts of a report. */
export const phaseStyles: Readonly<Record<Phase, { color: string; means: string }>> = {
  testing: { color: 'testing', means: 'under test' },
  passed: { color: 'passed', means: 'passed, waits for predecessors' },
  held: { color: 'held', means: 'failed, not final yet' },
  bisecting: { color: 'bisecting', means: 'in a bisection' },
  waiting: { color: 'waiting', means: 'waits for a run' },
  notReady: { color: 'line', means: 'not ready' },
}

/** The number of time steps. With more, a step is narrower than a pixel. */
const steps = 360

/** Keeps the deepest sample of each time step, and the last sample of all. */
export function thinned(samples: readonly DepthSample[], untilMs: number): DepthSample[] {
  if (samples.length <= steps) return [...samples]
  const byStep = new Map<number, DepthSample>()
  for (const sample of samples) {
    const step = Math.floor((sample.at * steps) / (untilMs + 1))
    const known = byStep.get(step)
    if (depthOf(sample.counts) >= depthOf(known?.counts)) byStep.set(step, sample)
  }
  const last = samples.at(-1)
  return [...byStep.values(), ...(last && byStep.get(steps - 1) !== last ? [last] : [])]
}

export type DepthPicture = {
  readonly samples: readonly DepthSample[]
  readonly untilMinutes: number
  /** The times of violations, in minutes. */
  readonly violations: readonly number[]
}

export function depthChart({ samples, untilMinutes, violations }: DepthPicture): Promise<Html> {
  const used = phases.filter((phase) => samples.some(({ counts }) => counts[phase] > 0))
  const order = Object.keys(phaseStyles)
  const rows = samples.flatMap(({ at, counts }) =>
    used.map((phase) => ({
      at: toMinutes(at),
      phase: phaseStyles[phase].means,
      order: order.indexOf(phase),
      count: counts[phase],
    })),
  )
  return chartForAnyScreen((size) => ({
    name: 'Pull requests in the queue over time, by phase',
    width: size === 'wide' ? 1100 : 320,
    height: size === 'wide' ? 220 : 180,
    rows,
    layer: [
      {
        mark: { type: 'area', interpolate: 'step-after' },
        encoding: {
          x: {
            field: 'at',
            type: 'quantitative',
            axis: { ...timeAxis(untilMinutes, size === 'wide' ? 14 : 5), title: null, grid: false },
            scale: { domain: [0, untilMinutes], nice: false },
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
      },
      {
        data: { values: violations.map((at) => ({ at })) },
        mark: { type: 'rule', color: color('bad'), strokeWidth: 2 },
        encoding: { x: { field: 'at', type: 'quantitative' } },
      },
    ],
  }))
}
