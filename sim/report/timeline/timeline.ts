/** The timeline: all runs and pull requests over time, with the reason for each step. */

import type { Millis } from '../../../engine/index.ts'
import type { Violation } from '../../observe/property.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { toMillis, toMinutes } from '../../scenario/time.ts'
import { timeSteps, timeTicks } from '../charts/time-axis.ts'
import { html, type Html } from '../page/html.ts'
import type { QueueTimeline } from '../recording/queue-timeline.ts'
import type { RecordedRun } from '../recording/runs.ts'
import type { PullRequestStory } from '../recording/story.ts'
import { controls } from './controls.ts'
import { legend } from './legend.ts'
import { openingOf } from './open-at.ts'
import { pullRequestRow } from './pull-request-row.ts'
import { path, rowOf } from './row.ts'
import { linesPath, scaleOf, type Scale } from './scale.ts'
import { slotRow } from './slot-row.ts'
import { stepsList } from './story-steps.ts'
import { brokenSteps } from './violations.ts'

export type TimelineInput = {
  readonly scenario: Scenario
  readonly stories: readonly PullRequestStory[]
  readonly runs: readonly RecordedRun[]
  readonly queueTimeline: QueueTimeline
  readonly violations: readonly Violation[]
  readonly endedAt: Millis
  /** True if all pull requests are shown, so that the timeline begins at the start of the run. */
  readonly isWhole: boolean
}

/** The approximate maximum of steps in one report. */
const mostStepsInAll = 40_000
const stepsOfOne = { least: 40, most: 200 }

export function timeline(input: TimelineInput): Html {
  const { stories, runs, queueTimeline, violations, endedAt } = input
  const scale = scaleFor(input)
  const opening = openingOf(input, scale)
  const known = new Set(runs.map(({ run }) => run.id))
  const hasRun = (id: number): boolean => known.has(id)
  const shown = new Set(stories.map(({ number }) => number))
  const broken = brokenSteps(violations, (number) => shown.has(number))
  const mostSteps = Math.min(
    stepsOfOne.most,
    Math.max(stepsOfOne.least, Math.floor(mostStepsInAll / Math.max(1, stories.length))),
  )
  const rows = stories.map((story) =>
    pullRequestRow({
      story,
      broken: broken.get(story.number) ?? [],
      endedAt,
      scale,
      mostSteps,
      hasRun,
    }),
  )
  return html`${controls(stories, opening.why)}
    ${legend({
      stories,
      runs,
      hasQueueEvents: queueTimeline.steps.length > 0,
      hasViolations: violations.length > 0,
    })}
    <div
      class="timeline"
      role="region"
      aria-label="Timeline"
      tabindex="0"
      data-from="${toMinutes(scale.from)}"
      data-to="${toMinutes(scale.to)}"
      data-steps="${timeSteps.join(' ')}"
      ${opening.attributes}
    >
      <div class="sheet">
        ${axis(scale)} ${violationMarks(violations, scale)}
        ${queueTimelineRow(queueTimeline, scale, mostSteps)} ${slotRows(runs, endedAt, scale)}
        <h3 class="group">Pull requests, in order of submission</h3>
        ${rows}
      </div>
    </div>`
}

/** Returns the scale from the first to the last instant that is shown. */
function scaleFor({ stories, runs, endedAt, isWhole }: TimelineInput): Scale {
  if (isWhole) return scaleOf(0, endedAt)
  const begins = stories.flatMap(({ phaseChanges }) => phaseChanges.slice(0, 1).map(({ at }) => at))
  const ends = stories.map(({ phaseChanges }) => {
    const last = phaseChanges.at(-1)
    return last?.phase === null ? last.at : endedAt
  })
  const runEnds = runs.map(({ end }) => end?.at ?? endedAt)
  const least = begins.reduce((a, b) => Math.min(a, b), Infinity)
  const most = [...ends, ...runEnds].reduce((a, b) => Math.max(a, b), 0)
  return Number.isFinite(least) ? scaleOf(least, most) : scaleOf(0, endedAt)
}

/** Beyond this share of the axis a label stands to the left of its tick, or it would be cut. */
const lastShare = 0.92

/** Returns the axis. If the reader zooms in, the script draws finer ticks. */
function axis(scale: Scale): Html {
  const length = toMinutes(scale.to - scale.from)
  const ticks = timeTicks(toMinutes(scale.to), (8 * toMinutes(scale.to)) / Math.max(length, 1e-9))
    .filter(({ minutes }) => toMillis(minutes) >= scale.from)
    .map(({ minutes, label }) => {
      const at = toMillis(minutes)
      const isLast = at - scale.from > lastShare * (scale.to - scale.from)
      return html`<span ${isLast ? html`class="last" ` : null}style="left:${scale.percent(at)}"
        >${label}</span
      >`
    })
  return html`<div class="axis" aria-hidden="true"><div>${ticks}</div></div>`
}

function violationMarks(violations: readonly Violation[], scale: Scale): Html {
  const lines = [...new Set(violations.map(({ atMinutes }) => toMillis(atMinutes)))]
    .filter((at) => at >= scale.from && at <= scale.to)
    .map((at) => html`<i style="left:${scale.percent(at)}"></i>`)
  return html`<div class="marks" aria-hidden="true">${lines}</div>`
}

function queueTimelineRow(
  { steps, omitted }: QueueTimeline,
  scale: Scale,
  most: number,
): Html | null {
  if (steps.length === 0) return null
  const instants = steps.map(({ at }) => at).filter((at) => at >= scale.from && at <= scale.to)
  return rowOf({
    id: 'queue',
    name: 'the queue',
    end: '',
    classes: ['slot'],
    track: html`${path('mark queue-event', linesPath(instants, scale))}`,
    story: stepsList({ steps, omitted, most, hasRun: () => false }),
  })
}

function slotRows(runs: readonly RecordedRun[], endedAt: Millis, scale: Scale): Html {
  const rows = (['main', 'bisection'] as const).flatMap((kind) => {
    const ofKind = runs.filter((run) => run.kind === kind)
    const slots = [...new Set(ofKind.map(({ slot }) => slot))].sort((a, b) => a - b)
    return slots.map((slot) => {
      const inSlot = ofKind.filter((run) => run.slot === slot)
      return slotRow({ kind, slot, runs: inSlot, endedAt, scale })
    })
  })
  return html`<details class="group" open>
    <summary>Test runs, by slot</summary>
    ${rows}
  </details>`
}
