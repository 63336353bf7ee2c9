/** Every run and pull request over time, with the reason for each step. */

import type { Millis } from '../../../engine/index.ts'
import type { Violation } from '../../properties/property.ts'
import { toMillis, toMinutes } from '../../time.ts'
import { phaseLooks } from '../charts/depth-chart.ts'
import { timeSteps, timeTicks } from '../charts/time-axis.ts'
import { html, type Html } from '../html.ts'
import { key } from '../pieces.ts'
import type { Happenings } from '../recording/happenings.ts'
import type { RecordedRun } from '../recording/runs.ts'
import type { Story } from '../recording/story.ts'
import { controls } from './controls.ts'
import { pullRequestRow } from './pull-request-row.ts'
import { path, rowOf } from './row.ts'
import { linesPath, scaleOf, type Scale } from './scale.ts'
import { slotRow } from './slot-row.ts'
import { stepsList } from './story-steps.ts'
import { brokenSteps, inOrder } from './violations.ts'

export type Timeline = {
  readonly stories: readonly Story[]
  readonly runs: readonly RecordedRun[]
  readonly happenings: Happenings
  readonly violations: readonly Violation[]
  readonly endedAt: Millis
  /** Everybody is told of, so it begins at the start. */
  readonly isWhole: boolean
}

/** As many steps in all as one file should hold. */
const mostStepsInAll = 40_000
const stepsOfOne = { least: 40, most: 200 }

const runLooks = [
  { color: 'merged', means: 'passed' },
  { color: 'failed', means: 'failed' },
  { color: 'held', means: 'flaked' },
  { color: 'cancelled', means: 'cancelled' },
  { color: 'soft', means: 'lost or too long' },
]

export function timeline(wish: Timeline): Html {
  const { stories, runs, happenings, violations, endedAt } = wish
  const scale = scaleFor(wish)
  const known = new Set(runs.map(({ run }) => run.id))
  const hasRun = (id: number): boolean => known.has(id)
  const told = new Set(stories.map(({ number }) => number))
  const broken = brokenSteps(violations, (number) => told.has(number))
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
  return html`${controls(stories)}
    <div class="keys">
      ${key(runLooks, 'test runs')} ${key(Object.values(phaseLooks), 'pull requests')}
    </div>
    <div
      class="timeline"
      role="region"
      aria-label="Timeline"
      tabindex="0"
      data-from="${toMinutes(scale.from)}"
      data-to="${toMinutes(scale.to)}"
      data-steps="${timeSteps.join(' ')}"
      ${openAt(wish)}
    >
      <div class="sheet">
        ${axis(scale)} ${marks(violations, scale)} ${happeningsRow(happenings, scale, mostSteps)}
        ${slotRows(runs, endedAt, scale)}
        <h3 class="group">Pull requests, in the order of submission</h3>
        ${rows}
      </div>
    </div>`
}

/** From the first to the last instant that is told of. */
function scaleFor({ stories, runs, endedAt, isWhole }: Timeline): Scale {
  if (isWhole) return scaleOf(0, endedAt)
  const begins = stories.flatMap(({ stays }) => stays.slice(0, 1).map(({ at }) => at))
  const ends = stories.map(({ stays }) => {
    const last = stays.at(-1)
    return last?.phase === null ? last.at : endedAt
  })
  const runEnds = runs.map(({ end }) => end?.at ?? endedAt)
  const least = begins.reduce((a, b) => Math.min(a, b), Infinity)
  const most = [...ends, ...runEnds].reduce((a, b) => Math.max(a, b), 0)
  return Number.isFinite(least) ? scaleOf(least, most) : scaleOf(0, endedAt)
}

/** What the script shows first: the time around the first violation. */
function openAt({ stories, violations }: Timeline): Html | null {
  const [first] = inOrder(violations)
  if (!first) return null
  const at = toMillis(first.atMinutes)
  const involved = new Set(first.pullRequests)
  const begins = stories
    .filter(({ number }) => involved.has(number))
    .flatMap(({ stays }) => stays.slice(0, 1).map((stay) => stay.at))
  const since = begins.reduce((a, b) => Math.min(a, b), at)
  const length = Math.max(toMillis(1), at - since)
  return html`data-open-from="${toMinutes(since - length / 5)}"
  data-open-to="${toMinutes(at + length / 3)}"`
}

/** The script draws finer ones when one looks closer. */
function axis(scale: Scale): Html {
  const length = toMinutes(scale.to - scale.from)
  const ticks = timeTicks(toMinutes(scale.to), (8 * toMinutes(scale.to)) / Math.max(length, 1e-9))
    .filter(({ minutes }) => toMillis(minutes) >= scale.from)
    .map(
      ({ minutes, label }) =>
        html`<span style="left:${scale.percent(toMillis(minutes))}">${label}</span>`,
    )
  return html`<div class="axis" aria-hidden="true"><div>${ticks}</div></div>`
}

function marks(violations: readonly Violation[], scale: Scale): Html {
  const lines = [...new Set(violations.map(({ atMinutes }) => toMillis(atMinutes)))]
    .filter((at) => at >= scale.from && at <= scale.to)
    .map((at) => html`<i style="left:${scale.percent(at)}"></i>`)
  return html`<div class="marks" aria-hidden="true">${lines}</div>`
}

function happeningsRow({ steps, untold }: Happenings, scale: Scale, most: number): Html | null {
  if (steps.length === 0) return null
  const instants = steps.map(({ at }) => at).filter((at) => at >= scale.from && at <= scale.to)
  return rowOf({
    id: 'queue',
    name: 'the queue',
    end: '',
    classes: ['slot'],
    track: html`${path('mark happening', linesPath(instants, scale))}`,
    story: stepsList({ steps, untold, most, hasRun: () => false }),
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
    <summary>Test runs, by the slot they took</summary>
    ${rows}
  </details>`
}
