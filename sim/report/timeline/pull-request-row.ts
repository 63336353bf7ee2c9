/** A pull request in the timeline: where it stood when, and its story. */

import type { Millis, TestRunId } from '../../../engine/index.ts'
import { html, type Html } from '../html.ts'
import { phases } from '../recording/phase.ts'
import { remarks, type Remark, type Stay, type Story } from '../recording/story.ts'
import { rowOf, path } from './row.ts'
import { barsPath, linesPath, type Bar, type Scale } from './scale.ts'
import { stepsList, type Step } from './story-steps.ts'

export type BrokenStep = Step & { readonly broken: { readonly id: string | null } }

export type PullRequestRow = {
  readonly story: Story
  /** What was found broken about it. */
  readonly broken: readonly BrokenStep[]
  /** Until when it stood where it stood last. */
  readonly endedAt: Millis
  readonly scale: Scale
  readonly mostSteps: number
  readonly hasRun: (id: TestRunId) => boolean
}

export function pullRequestRow(wish: PullRequestRow): Html {
  const { story, broken, scale, mostSteps: most, hasRun } = wish
  const { number, end, untold } = story
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
    track: html`${pathsOf(wish)}${path('mark broken', linesPath(instants(broken), scale))}`,
    story: html`${[...story.remarks].map(remarkOf)}${stepsList({ steps, untold, most, hasRun })}`,
  })
}

const instants = (steps: readonly Step[]): Millis[] => steps.map(({ at }) => at)

const remarkOf = (remark: Remark): Html => html`<p class="remark">${remarks[remark]}</p>`

function pathsOf({ story, endedAt, scale }: PullRequestRow): (Html | null)[] {
  const ends = story.stays.filter(({ phase }) => phase === null)
  return [
    ...phases.map((phase) => path(phase, barsPath(barsIn(story.stays, phase, endedAt), scale))),
    path(
      `mark ${story.end === null ? 'open' : story.end.toLowerCase()}`,
      linesPath(instantsOf(ends), scale),
    ),
  ]
}

const instantsOf = (stays: readonly Stay[]): Millis[] => stays.map(({ at }) => at)

function barsIn(stays: readonly Stay[], phase: Stay['phase'], endedAt: Millis): Bar[] {
  return stays.flatMap((stay, index) =>
    stay.phase === phase ? [{ from: stay.at, to: stays[index + 1]?.at ?? endedAt }] : [],
  )
}
