/** The time that the timeline shows first. The script of the page scrolls and zooms to it. */

import type { Millis } from '../../../engine/index.ts'
import { duration, several } from '../../terminal/text.ts'
import type { Violation } from '../../observe/property.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { toMillis, toMinutes } from '../../scenario/time.ts'
import { html, type Html } from '../page/html.ts'
import type { PullRequestStory } from '../recording/story.ts'
import { busiestDay } from './busiest-day.ts'
import type { Scale } from './scale.ts'
import { inOrder } from './violations.ts'

export type Opening = {
  /** The attributes for the script; null to show all. */
  readonly attributes: Html | null
  /** Why the timeline does not show all; null if it does, or if a violation is the reason. */
  readonly why: string | null
}

type OpeningInput = {
  readonly stories: readonly PullRequestStory[]
  readonly violations: readonly Violation[]
  readonly scenario: Scenario
}

/** A timeline opens at the first violation, or else on the busiest day of a run with idle weeks. */
export function openingOf({ stories, violations, scenario }: OpeningInput, scale: Scale): Opening {
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
  const involved = new Set(pullRequests)
  const begins = stories
    .filter(({ number }) => involved.has(number))
    .flatMap(({ phaseChanges }) => phaseChanges.slice(0, 1).map((change) => change.at))
  const since = begins.reduce((a, b) => Math.min(a, b), at)
  const length = Math.max(toMillis(1), at - since)
  return attributesFor(since - length / 5, at + length / 3)
}

function attributesFor(from: Millis, to: Millis): Html {
  return html`data-open-from="${toMinutes(from)}" data-open-to="${toMinutes(to)}"`
}
