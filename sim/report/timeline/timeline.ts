/** The timeline: all runs and pull requests over time, with the reason for each step. */

import type { Millis } from '../../../engine/index.ts'
import { type Culprits, sentenceOfEnd } from '../../explain/sentences.ts'
import type { Violation } from '../../observe/property.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { toMillis, toMinutes } from '../../scenario/time.ts'
import { duration, firstFew, several } from '../../../server/terminal/text.ts'
import { timeSteps, timeTicks } from '../../html/chart.ts'
import { type Html, html } from '../../html/html.ts'
import { key } from '../../html/components.ts'
import { phases, phaseStyles, remarks } from '../recording/story.ts'
import type { PullRequestStory } from '../recording/story.ts'
import type { QueueTimeline } from '../recording/recording.ts'
import { type RecordedRun, runStyleOf, runStyles } from '../recording/runs.ts'
import { busiestDay } from './busiest-day.ts'
import {
  barsPath,
  linesPath,
  path,
  pullRequestRow,
  rowOf,
  type Scale,
  scaleOf,
  stepsList,
  brokenSteps,
  inOrder,
} from './pull-request-row.ts'

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
  return html`${controls(stories, opening.why)} ${legend(input)}
    <div
      class="timeline"
      role="region"
      aria-label="Rows of the timeline"
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
  const ends = stories.map(({ phaseChanges }) => {
    const last = phaseChanges.at(-1)
    return last?.phase === null ? last.at : endedAt
  })
  const runEnds = runs.map(({ end }) => end?.at ?? endedAt)
  const least = startOf(stories, Infinity)
  const most = [...ends, ...runEnds].reduce((a, b) => Math.max(a, b), 0)
  return Number.isFinite(least) ? scaleOf(least, most) : scaleOf(0, endedAt)
}

/** When the first of the stories begins, at the latest. */
function startOf(stories: readonly PullRequestStory[], latest: Millis): Millis {
  return stories.reduce((least, { phaseChanges: [first] }) => {
    return Math.min(least, first?.at ?? least)
  }, latest)
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
    const ofKind = runs.filter(({ run }) => run.owner.kind === kind)
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

// The controls for search and zoom. They are hidden until the script that handles them has loaded.

/** `why` says why the timeline does not show all at first; null if it does. */
function controls(stories: readonly PullRequestStory[], why: string | null): Html {
  const remarked = new Set<string>(stories.flatMap((story) => [...story.remarks]))
  const kinds = [
    ...endsOf(stories).map(({ means }) => [means, means]),
    ...Object.entries(remarks).filter(([remark]) => remarked.has(remark)),
  ]
  return html`<form class="controls" role="search" hidden>
    <label
      >Search
      <input
        type="search"
        name="search"
        placeholder="number, run or word"
        autocomplete="off"
        aria-keyshortcuts="/"
    /></label>
    <label
      >Show
      <select name="kind">
        <option value="">all</option>
        ${kinds.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
      </select></label
    >
    <span role="group" aria-label="Zoom">
      <button type="button" name="out" aria-label="Zoom out" aria-keyshortcuts="-">−</button>
      <button type="button" name="in" aria-label="Zoom in" aria-keyshortcuts="+">+</button>
      <button type="button" name="whole" aria-keyshortcuts="0">show all</button>
    </span>
    <output name="found" class="soft"></output>
    <span class="hint soft"
      >Keys: <kbd>/</kbd> search, <kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd> zoom, arrows move,
      <kbd>Enter</kbd> expands</span
    >
    ${why === null ? null : html`<p class="opening">${why}</p>`}
  </form>`
}

// The legend of the timeline: everything that it draws, and nothing else.

type Entry = { readonly color: string; readonly means: string }

const endStyles = {
  MERGED: { color: 'merged', means: 'merged' },
  FAILED: { color: 'failed', means: 'failed' },
  CANCELLED: { color: 'soft', means: 'cancelled' },
}

/** How pull requests of these stories ended. */
function endsOf(stories: readonly PullRequestStory[]): Entry[] {
  const ends = new Set<string | null>(stories.map(({ end }) => end))
  return Object.entries(endStyles).flatMap(([end, style]) => (ends.has(end) ? [style] : []))
}

function legend({ stories, runs, queueTimeline, violations }: TimelineInput): Html {
  const drawnRuns = new Set<string>(runs.map(runStyleOf))
  const drawnPhases = new Set(
    stories.flatMap(({ phaseChanges }) => phaseChanges.map(({ phase }) => phase)),
  )
  const lines: Entry[] = [
    ...endsOf(stories),
    ...(queueTimeline.steps.length > 0 ? [{ color: 'link', means: 'the queue changed' }] : []),
    ...(violations.length > 0 ? [{ color: 'bad', means: 'a property broke' }] : []),
  ]
  const styles = Object.entries(runStyles).flatMap(([name, style]) =>
    drawnRuns.has(name) ? [style] : [],
  )
  const bars = phases.filter((phase) => drawnPhases.has(phase)).map((phase) => phaseStyles[phase])
  const keyOf = (entries: readonly Entry[], of: string): Html | null =>
    entries.length === 0 ? null : key(entries, of)
  return html`<div class="keys">
    ${keyOf(styles, 'test runs')} ${keyOf(bars, 'pull requests')} ${keyOf(lines, 'lines')}
  </div>`
}

// A slot in the timeline, with the runs that used it.

type SlotRow = {
  readonly kind: 'main' | 'bisection'
  readonly slot: number
  readonly runs: readonly RecordedRun[]
  readonly endedAt: Millis
  readonly scale: Scale
}

function slotRow({ kind, slot, runs, endedAt, scale }: SlotRow): Html {
  const bar = (recorded: RecordedRun): Html => {
    const { run, end } = recorded
    const d = barsPath([{ from: run.startedAt, to: end?.at ?? endedAt }], scale)
    return html`<path class="${runStyleOf(recorded)}" d="${d}"
      ><title>${sentence(recorded)}</title></path
    >`
  }
  return rowOf({
    id: `${kind}-slot-${slot + 1}`,
    name: kind === 'main' ? `slot ${slot + 1}` : `bisection ${slot + 1}`,
    end: '',
    classes: ['slot', kind],
    track: html`${runs.map(bar)}`,
    story: html`<ol>
      ${runs.map((run) => html`<li id="run-${run.run.id}">${sentence(run)}</li> `)}
    </ol>`,
  })
}

/** At most this many pull request numbers are listed. */
const shown = 30

function sentence(recorded: RecordedRun): string {
  const { run, end, culprits } = recorded
  const at = duration(toMinutes(run.startedAt))
  const length = end ? `took ${duration(toMinutes(end.at - run.startedAt))}` : 'never ended'
  const below =
    run.base.length > 0 ? ` on top of ${firstFew(run.base, shown)}` : ' on the current branch'
  const contents = `tests ${firstFew(run.tested, shown)}${below}`
  return `${endingOf(recorded, culprits)}; started at ${at}, ${length}; ${contents}`
}

function endingOf({ run: { id }, end }: RecordedRun, culprits: Culprits): string {
  if (!end) return `run ${id} was in progress at the end`
  const ending = end.outcome === 'cancelled' ? end.cause : end.outcome
  if (ending === null) return `run ${id} was cancelled`
  const blamed = end.flaked ? [] : culprits
  return sentenceOfEnd({ id, ending, culprits: blamed, number: -1 })
}

// The time that the timeline shows first. The script of the page scrolls and zooms to it.

type Opening = {
  /** The attributes for the script; null to show all. */
  readonly attributes: Html | null
  /** Why the timeline does not show all; null if it does, or if a violation is the reason. */
  readonly why: string | null
}

/** A timeline opens at the first violation, or else on the busiest day of a run with idle weeks. */
function openingOf({ stories, violations, scenario }: TimelineInput, scale: Scale): Opening {
  const [first] = inOrder(violations)
  if (first) return { attributes: aroundViolation(first, stories), why: null }
  const busiest = busiestDay(stories, scale, scenario)
  const row = busiest?.arrivals[0]
  if (!busiest || !row) return { attributes: null, why: null }
  const { name, from, to, arrivals, idle } = busiest
  const all = duration(toMinutes(scale.to - scale.from))
  return {
    attributes: html`${attributesFor(from, to)} data-open-row="pr-${row.number}"`,
    why: `The queue was empty for ${duration(toMinutes(idle))} of ${all}, so the timeline opens on the busiest day: ${name}, with ${several(arrivals.length, 'new pull request')}. The button “show all” shows the whole run.`,
  }
}

/** The time around a violation, with the stories of the pull requests that it names. */
function aroundViolation(
  { atMinutes, pullRequests }: Violation,
  stories: readonly PullRequestStory[],
): Html {
  const at = toMillis(atMinutes)
  const involved = stories.filter(({ number }) => pullRequests.includes(number))
  const since = startOf(involved, at)
  const length = Math.max(toMillis(1), at - since)
  return attributesFor(since - length / 5, at + length / 3)
}

function attributesFor(from: Millis, to: Millis): Html {
  return html`data-open-from="${toMinutes(from)}" data-open-to="${toMinutes(to)}"`
}
