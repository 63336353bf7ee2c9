/** The day on which the timeline of a run with much idle time opens. */

import type { Millis } from '../../../engine/index.ts'
import { calendarOf, dateText, toMillis, toMinutes } from '../../scenario/time.ts'
import { scenarioDefaults, type Scenario } from '../../scenario/scenario.ts'
import { type PullRequestStory, type Span, spansOf } from '../recording/story.ts'

/** With fewer idle days of the history, the whole run is readable at once. */
const leastIdleDays = 7

export type BusiestDay = {
  /** Its date if the scenario has a calendar, else `day 1` for the first day of the run. */
  readonly name: string
  readonly from: Millis
  readonly to: Millis
  /** The pull requests that were submitted on that day, in the order of their stories. */
  readonly arrivals: readonly PullRequestStory[]
  /** How long no pull request was in the queue, in the whole run. */
  readonly idle: Millis
}

/**
 * Returns the day of the history on which most of the pull requests were submitted, the first one of
 * several. Null if the queue was empty for less than a week of the history, between `from` and `to`.
 */
export function busiestDay(
  stories: readonly PullRequestStory[],
  { from, to }: Span,
  scenario: Scenario,
): BusiestDay | null {
  const { dayMs, passed } = daysOf(scenario)
  const stays = stories.flatMap((story) => spansOf(story, to, () => true))
  const idle = to - from - lengthOf(stays)
  if (idle < leastIdleDays * dayMs) return null
  const byDay = new Map<number, PullRequestStory[]>()
  for (const story of stories) {
    const day = Math.floor(((story.phaseChanges[0]?.at ?? 0) + passed) / dayMs)
    byDay.set(day, [...(byDay.get(day) ?? []), story])
  }
  const days = [...byDay].sort(([a, some], [b, others]) => others.length - some.length || a - b)
  const [busiest] = days
  if (!busiest) return null
  const [day, arrivals] = busiest
  const begin = day * dayMs - passed
  return {
    name: nameOf(day, begin + dayMs / 2, scenario),
    from: Math.max(from, begin),
    to: Math.min(to, begin + dayMs),
    arrivals,
    idle,
  }
}

/** The length of a day of the history, and how much of the first had passed when the run began. */
function daysOf(scenario: Scenario): { readonly dayMs: Millis; readonly passed: Millis } {
  const dayMs = toMillis(scenario.dayMinutes ?? scenarioDefaults.dayMinutes)
  const start = calendarOf(scenario)?.timeAt(0) ?? 0
  return { dayMs, passed: Math.round(((start % realDay) * dayMs) / realDay) }
}

const realDay = toMillis(scenarioDefaults.dayMinutes)

function nameOf(day: number, noon: Millis, scenario: Scenario): string {
  const calendar = calendarOf(scenario)
  return calendar === null
    ? `day ${day + 1}`
    : `${dateText(calendar.timeAt(toMinutes(noon)))} (UTC)`
}

/** The time that at least one of the stays covers. */
function lengthOf(stays: readonly Span[]): Millis {
  let length = 0
  let until = -Infinity
  for (const { from, to } of [...stays].sort((a, b) => a.from - b.from)) {
    if (to <= until) continue
    length += to - Math.max(from, until)
    until = to
  }
  return length
}
