/** The chart of the depth of the queue over time. */

import type { Millis } from '../../../engine/index.ts'
import { html, type Html } from '../../html/html.ts'
import { card, folded, key, table, right } from '../../html/pieces.ts'
import {
  depthChart,
  meanText,
  phasesIn,
  phaseStyles,
  Depth,
  depthOf,
  type DepthStep,
  joinedSteps,
} from '../recording/depth.ts'
import type { Phase, PullRequestStory } from '../recording/story.ts'
import type { RunRecording } from '../recording/recording.ts'
import { busiestDay, type BusiestDay } from '../timeline/busiest-day.ts'
import type { RunResult } from '../../result/write-result.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { toMillis, toMinutes } from '../../scenario/time.ts'
import { count, duration, several } from '../../../server/terminal/text.ts'

type DepthInput = {
  readonly scenario: Scenario
  readonly result: RunResult
  readonly recording: RunRecording
  /** True if there is a story for each pull request. */
  readonly isWhole: boolean
}

const title = 'Depth of the queue'
const name = 'Pull requests in the queue over time, by phase'

/** Where the queue was empty for weeks, shows the busiest day, and below it the whole run. */
export async function depthCard(input: DepthInput): Promise<Html> {
  const { scenario, result, recording, isWhole } = input
  const { deepest } = recording.depth
  const steps = recording.depth.stepsUntil(toMillis(result.figures.endedAtMinutes))
  if (!deepest) return card({ title, about: 'The queue was always empty.', body: null })
  const violations = result.properties.flatMap((each) =>
    each.violations.map((one) => one.atMinutes),
  )
  const span = { from: 0, to: toMillis(result.figures.endedAtMinutes) }
  const day = isWhole ? busiestDay(recording.stories, span, scenario) : null
  const whole = await pictureOf(name, steps, violations)
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
  const about = `${name}, on the busiest day`
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

function numbersOf(steps: readonly DepthStep[]): Html {
  const used = phasesIn(steps)
  return table(
    [
      'from',
      ...used.map((phase) => right(phaseStyles[phase].means)),
      right('mean of all'),
      right('maximum'),
    ],
    joinedSteps(steps, rowsAtMost).map(({ from, means, most }) => [
      duration(toMinutes(from)),
      ...used.map((phase) => meanText(means[phase])),
      meanText(depthOf(means)),
      count(most),
    ]),
    { name: title },
  )
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
