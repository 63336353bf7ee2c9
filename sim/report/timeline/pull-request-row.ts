/** A pull request in the timeline: its phases over time, and its story. */

import type { Millis, TestRunId } from '../../../engine/index.ts'
import { html, type Html } from '../../html/html.ts'
import { phases } from '../recording/phase.ts'
import {
  remarks,
  type Remark,
  type PhaseChange,
  type PullRequestStory,
} from '../recording/story.ts'
import { rowOf, path } from './row.ts'
import { barsPath, linesPath, type TimelineBar, type Scale } from './scale.ts'
import { stepsList, type StoryStepItem } from './story-steps.ts'

export type BrokenStep = StoryStepItem & { readonly broken: { readonly id: string | null } }

export type PullRequestRow = {
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

const instants = (steps: readonly StoryStepItem[]): Millis[] => steps.map(({ at }) => at)

const remarkOf = (remark: Remark): Html => html`<p class="remark">${remarks[remark]}</p>`

function pathsOf({ story, endedAt, scale }: PullRequestRow): (Html | null)[] {
  const ends = story.phaseChanges.filter(({ phase }) => phase === null)
  return [
    ...phases.map((phase) =>
      path(phase, barsPath(barsIn(story.phaseChanges, phase, endedAt), scale)),
    ),
    path(
      `mark ${story.end === null ? 'open' : story.end.toLowerCase()}`,
      linesPath(instantsOf(ends), scale),
    ),
  ]
}

const instantsOf = (phaseChanges: readonly PhaseChange[]): Millis[] =>
  phaseChanges.map(({ at }) => at)

function barsIn(
  phaseChanges: readonly PhaseChange[],
  phase: PhaseChange['phase'],
  endedAt: Millis,
): TimelineBar[] {
  return phaseChanges.flatMap((change, index) =>
    change.phase === phase ? [{ from: change.at, to: phaseChanges[index + 1]?.at ?? endedAt }] : [],
  )
}
