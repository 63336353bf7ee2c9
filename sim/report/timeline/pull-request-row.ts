/** A pull request in the timeline: its phases over time, and its story. */

import type { Millis, TestRunId } from '../../../engine/index.ts'
import { count, duration } from '../../../server/terminal/text.ts'
import { toMinutes, toMillis } from '../../scenario/time.ts'
import { html, type HtmlContent, type Html, trusted } from '../../html/html.ts'
import { phases, remarks, spansOf } from '../recording/story.ts'
import type { PullRequestStory, Remark, Span } from '../recording/story.ts'
import type { Violation } from '../../observe/property.ts'

// The steps of a story as a list, with links to the runs it mentions.

type StoryStepItem = {
  readonly at: Millis
  readonly sentence: string
  /** Set for a violation; `id` is the target of links to it. */
  readonly broken?: { readonly id: string | null }
}

type StoryStepsInput = {
  readonly steps: readonly StoryStepItem[]
  /** The number of steps that were not kept. */
  readonly omitted: number
  /** The maximum number of steps shown: the first half and the last half. */
  readonly most: number
  readonly hasRun: (id: TestRunId) => boolean
}

export function stepsList({ steps, omitted, most, hasRun }: StoryStepsInput): Html {
  const half = Math.floor(most / 2)
  const isLong = steps.length > most
  const first = isLong ? steps.slice(0, half) : steps
  const last = isLong ? steps.slice(-half) : []
  const gap = steps.length - first.length - last.length
  const item = (step: StoryStepItem): Html => itemOf(step, hasRun)
  return html`<ol>
    ${first.map(item)}${gapItem(gap)}${last.map(item)}${gapItem(omitted)}
  </ol>`
}

function itemOf({ at, sentence, broken }: StoryStepItem, hasRun: StoryStepsInput['hasRun']): Html {
  const text = html`<time>${duration(toMinutes(at))}</time> ${linked(sentence, hasRun)}`
  if (!broken) return html`<li>${text}</li> `
  return broken.id === null
    ? html`<li class="broken">${text}</li> `
    : html`<li class="broken" id="${broken.id}">${text}</li> `
}

function gapItem(steps: number): Html | null {
  return steps === 0 ? null : html`<li class="soft">${count(steps)} more steps, not shown</li>`
}

/** Turns `run 42` into a link if that run is in the report. */
function linked(sentence: string, hasRun: StoryStepsInput['hasRun']): HtmlContent {
  return sentence.split(/\b(run \d+)/).map((part, index) => {
    const id = Number(part.slice('run '.length))
    return index % 2 === 1 && hasRun(id) ? html`<a href="#run-${id}">${part}</a>` : part
  })
}

type BrokenStep = StoryStepItem & { readonly broken: { readonly id: string | null } }

type PullRequestRow = {
  readonly story: PullRequestStory
  /** The violations that involve the pull request. */
  readonly broken: readonly BrokenStep[]
  /** The end of the run, which is the end of the last phase of an open pull request. */
  readonly endedAt: Millis
  readonly scale: Scale
  readonly mostSteps: number
  readonly hasRun: (id: TestRunId) => boolean
}

export function pullRequestRow(input: PullRequestRow): Html {
  const { story, broken, scale, mostSteps: most, hasRun } = input
  const { number, end, omitted } = story
  const steps = [...story.steps, ...broken].sort((a, b) => a.at - b.at)
  const ended = end === null ? 'in the queue' : end.toLowerCase()
  return rowOf({
    id: `pr-${number}`,
    name: html`<b>${number}</b>`,
    end: ended,
    classes: [
      'pr',
      end === null ? 'open' : ended,
      ...story.remarks,
      ...(broken.length > 0 ? ['broken'] : []),
    ],
    track: html`${pathsOf(input)}${path('mark broken', linesPath(instants(broken), scale))}`,
    story: html`${[...story.remarks].map(remarkOf)}${stepsList({ steps, omitted, most, hasRun })}`,
  })
}

const instants = (steps: readonly Pick<StoryStepItem, 'at'>[]): Millis[] =>
  steps.map(({ at }) => at)

const remarkOf = (remark: Remark): Html => html`<p class="remark">${remarks[remark]}</p>`

function pathsOf({ story, endedAt, scale }: PullRequestRow): (Html | null)[] {
  const ends = story.phaseChanges.filter(({ phase }) => phase === null)
  return [
    ...phases.map((phase) => {
      const spans = spansOf(story, endedAt, (each) => each === phase)
      return path(phase, barsPath(spans, scale))
    }),
    path(
      `mark ${story.end === null ? 'open' : story.end.toLowerCase()}`,
      linesPath(instants(ends), scale),
    ),
  ]
}

/** A row of the timeline: its name, its track, and the story that the reader can expand. */
type TimelineRow = {
  readonly id: string
  readonly name: HtmlContent
  /** The outcome or kind, in one word. */
  readonly end: HtmlContent
  readonly classes: readonly string[]
  /** SVG paths, in units of the track. */
  readonly track: Html
  readonly story: HtmlContent
}

export function rowOf({ id, name, end, classes, track, story }: TimelineRow): Html {
  const drawing = html`<svg viewBox="0 0 ${trackWidth} 10" preserveAspectRatio="none">
    ${track}
  </svg>`
  return html`<details class="row ${classes.join(' ')}" id="${id}">
    <summary>
      <span class="name">${name} <span class="end">${end}</span></span>
      ${drawing}
    </summary>
    <div class="story">${story}</div>
  </details>`
}

/** Returns an SVG path with a class; null if there is nothing to draw. */
export function path(kind: string, d: string): Html | null {
  return d === '' ? null : trusted(`<path class="${kind}" d="${d}"/>`)
}

// Converts instants to positions on the tracks of the timeline.

/** The width of a track in SVG units, independent of its width on the screen. */
const trackWidth = 100_000

export type Scale = {
  readonly from: Millis
  readonly to: Millis
  /** The position in units of a track, rounded to a whole number. */
  readonly unit: (at: Millis) => number
  /** The position in percent of a track. */
  readonly percent: (at: Millis) => string
}

export function scaleOf(from: Millis, to: Millis): Scale {
  const length = Math.max(1, to - from)
  const share = (at: Millis): number => Math.min(1, Math.max(0, (at - from) / length))
  return {
    from,
    to: from + length,
    unit: (at) => Math.round(share(at) * trackWidth),
    percent: (at) => `${Math.round(share(at) * 1e5) / 1e3}%`,
  }
}

/** Returns bars of full height as the `d` attribute of a path. */
export function barsPath(bars: readonly Span[], { unit }: Scale): string {
  return bars
    .map(({ from, to }) => {
      const start = unit(from)
      const width = Math.max(1, unit(to) - start)
      return `M${start} 0h${width}v10h-${width}z`
    })
    .join('')
}

/** Returns lines of full height as the `d` attribute of a path. */
export function linesPath(times: readonly Millis[], { unit }: Scale): string {
  return times.map((at) => `M${unit(at)} 0v10`).join('')
}

// The violations in the timeline.

/** The id of the first violation, which links use. */
export const violationId = 'violation'

/** Returns the violations by pull request. Only the first one on a shown pull request has an id. */
export function brokenSteps(
  violations: readonly Violation[],
  isShown: (number: number) => boolean,
): Map<number, BrokenStep[]> {
  const byNumber = new Map<number, BrokenStep[]>()
  let id: string | null = violationId
  for (const { property, atMinutes, story, pullRequests } of inOrder(violations)) {
    for (const number of pullRequests.filter(isShown)) {
      const steps = byNumber.get(number) ?? []
      steps.push({
        at: toMillis(atMinutes),
        sentence: `BROKEN ${property}: ${story}`,
        broken: { id },
      })
      byNumber.set(number, steps)
      id = null
    }
  }
  return byNumber
}

export function inOrder(violations: readonly Violation[]): Violation[] {
  return [...violations].sort((a, b) => a.sequence - b.sequence)
}
