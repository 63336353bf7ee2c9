/** The chart of the depth of the queue over time. */

import type { Millis } from '../../../engine/index.ts'
import { html, type Html } from '../../html/html.ts'
import { card, folded, key, type Table, right } from '../../html/components.ts'
import { chartInSizes, color, ownColor, tooltip, targetMark, timeAxis } from '../../html/chart.ts'
import type { Chart } from '../../html/chart.ts'
import { Depth, depthOf, type DepthStep, joinedSteps } from '../recording/depth.ts'
import { phases, phaseStyles, type Phase, type PullRequestStory } from '../recording/story.ts'
import type { RunRecording } from '../recording/recording.ts'
import { busiestDay, type BusiestDay } from '../timeline/busiest-day.ts'
import type { RunResult } from '../../result/write-result.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { toMillis, toMinutes } from '../../scenario/time.ts'
import { count, duration, several } from '../../../server/terminal/text.ts'

export type DepthInput = {
  readonly scenario: Scenario
  readonly result: RunResult
  readonly recording: RunRecording
  /** True if there is a story for each pull request. */
  readonly isWhole: boolean
}

const title = 'Depth of the queue'
const described = 'Pull requests in the queue over time, by phase'

/** Where the queue was empty for weeks, shows the busiest day, and below it the whole run. */
export async function depthCard(input: DepthInput): Promise<Html> {
  const { scenario, result, recording, isWhole } = input
  const { deepest } = recording.depth
  const steps = recording.depth.stepsUntil(toMillis(result.figures.endedAtMinutes))
  if (!deepest) return card({ title, about: 'The queue was always empty.' })
  const violations = result.properties.flatMap((each) =>
    each.violations.map((one) => one.atMinutes),
  )
  const span = { from: 0, to: toMillis(result.figures.endedAtMinutes) }
  const day = isWhole ? busiestDay(recording.stories, span, scenario) : null
  const whole = await pictureOf(described, steps, violations)
  const most = `Maximum: ${several(deepest.depth, 'pull request')}, first reached after ${duration(toMinutes(deepest.at))}.`
  const idle = day
    ? ` The queue was empty for ${duration(toMinutes(day.idle))} of ${duration(toMinutes(span.to))}.`
    : ''
  return card({
    title,
    about: `${most}${idle}${violations.length > 0 ? ' Thick lines mark violations.' : ''}`,
    isWide: true,
    body: day === null ? whole : await bothOf(whole, day, recording, violations),
    numbers: numbersOf(steps),
  })
}

async function bothOf(
  whole: Html,
  day: BusiestDay,
  { stories }: RunRecording,
  violations: readonly number[],
): Promise<Html> {
  const about = `${described}, on the busiest day`
  return html`<h4>The busiest day, from its start: ${day.name}</h4>
    ${await pictureOf(about, depthBetween(stories, day), violations)}
    ${folded('show all: the whole run', whole)}`
}

async function pictureOf(
  about: string,
  steps: readonly DepthStep[],
  violations: readonly number[],
): Promise<Html> {
  const [first = { from: 0, to: 0 }] = steps
  const ms = first.to - first.from
  const length = ms < 60_000 ? `${ms / 1000} s` : duration(toMinutes(ms))
  return html`<p class="soft">Areas show the mean of each ${length}, the line its maximum.</p>
    ${key(phasesIn(steps).map((phase) => phaseStyles[phase]))}
    ${await depthChart({ name: about, steps, violations })}`
}

const rowsAtMost = 24

function numbersOf(steps: readonly DepthStep[]): Table {
  const used = phasesIn(steps)
  return {
    head: [
      'from',
      ...used.map((phase) => right(phaseStyles[phase].means)),
      right('mean of all'),
      right('maximum'),
    ],
    rows: joinedSteps(steps, rowsAtMost).map(({ from, means, most }) => [
      duration(toMinutes(from)),
      ...used.map((phase) => meanText(means[phase])),
      meanText(depthOf(means)),
      count(most),
    ]),
  }
}

// The depth of the queue on one day, from the stories of its pull requests.

/** Returns the steps from `from` to `to`. The stories must be those of all pull requests. */
export function depthBetween(
  stories: readonly PullRequestStory[],
  { from, to }: { readonly from: Millis; readonly to: Millis },
): DepthStep[] {
  const changes = stories
    .flatMap(({ number, phaseChanges }) =>
      phaseChanges.map(({ at, phase }) => ({ number, at: Math.max(at, from), phase })),
    )
    .filter(({ at }) => at < to)
    .sort((a, b) => a.at - b.at)
  const depth = new Depth(from)
  const before = new Map<number, Phase | null>()
  for (const [index, { number, at, phase }] of changes.entries()) {
    depth.move(before.get(number) ?? null, phase)
    before.set(number, phase)
    // All that changes at one instant changes together.
    if (changes[index + 1]?.at !== at) depth.note(at)
  }
  return depth.stepsUntil(to)
}

/** Returns the phases that occur, in their usual order. */
function phasesIn(steps: readonly DepthStep[]): Phase[] {
  return phases.filter((phase) => steps.some(({ means }) => means[phase] > 0))
}

type DepthPicture = {
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
}

/** The tooltips are those of at most this many steps. */
const tooltips = 48

function depthChart({ name, steps, violations }: DepthPicture): Promise<Html> {
  const start = toMinutes(steps[0]?.from ?? 0)
  const minutes = (at: number): number => toMinutes(at) - start
  const end = minutes(steps.at(-1)?.to ?? 0)
  const marks = violations
    .map((at) => ({ at: at - start }))
    .filter(({ at }) => at >= 0 && at <= end)
  const x = { field: 'at', type: 'quantitative' } as const
  return chartInSizes(sizes, ({ width, height, labels }): Chart => {
    return {
      name,
      width,
      height,
      rows: areaRows(steps, minutes),
      layer: [
        areas(end, labels),
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
function areas(end: number, labels: number): Chart['layer'][number] {
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
      color: ownColor,
    },
  }
}

/** A mean below one has more digits: most of a sparse history is between 0.001 and 0.1. */
function meanText(mean: number): string {
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
      color: color(phaseStyles[phase].color),
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
