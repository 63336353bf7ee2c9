/** The day on which the timeline of a run with much idle time opens. */

import type { Millis } from '../../../engine/index.ts'
import type { PullRequestStory } from '../recording/story.ts'

const dayMs = 24 * 60 * 60_000

/** With less idle time, the whole run is readable at once. */
const leastIdle = 7 * dayMs

export type BusiestDay = {
  /** Counted from 1: the first day of the run. */
  readonly day: number
  readonly from: Millis
  readonly to: Millis
  /** The pull requests that were submitted on that day, in the order of their stories. */
  readonly arrivals: readonly PullRequestStory[]
  /** How long no pull request was in the queue, in the whole run. */
  readonly idle: Millis
}

type Stay = { readonly from: Millis; readonly to: Millis }

/**
 * Returns the day on which most of the pull requests were submitted, the first one of several. Null
 * if the queue was empty for less than a week in all, between `from` and `to`.
 */
export function busiestDay(
  stories: readonly PullRequestStory[],
  { from, to }: Stay,
): BusiestDay | null {
  const stays = stories.flatMap((story) => staysOf(story, to))
  const idle = to - from - lengthOf(stays)
  if (idle < leastIdle) return null
  const byDay = new Map<number, PullRequestStory[]>()
  for (const story of stories) {
    const day = Math.floor((story.phaseChanges[0]?.at ?? 0) / dayMs)
    byDay.set(day, [...(byDay.get(day) ?? []), story])
  }
  const days = [...byDay].sort(([a, some], [b, others]) => others.length - some.length || a - b)
  const [busiest] = days
  if (!busiest) return null
  const [day, arrivals] = busiest
  return { day: day + 1, from: day * dayMs, to: (day + 1) * dayMs, arrivals, idle }
}

/** The times in the queue: several if the pull request came again. */
function staysOf({ phaseChanges }: PullRequestStory, end: Millis): Stay[] {
  return phaseChanges.flatMap(({ at, phase }, index) =>
    phase === null ? [] : [{ from: at, to: phaseChanges[index + 1]?.at ?? end }],
  )
}

/** The time that at least one of the stays covers. */
function lengthOf(stays: readonly Stay[]): Millis {
  let length = 0
  let until = -Infinity
  for (const { from, to } of [...stays].sort((a, b) => a.from - b.from)) {
    if (to <= until) continue
    length += to - Math.max(from, until)
    until = to
  }
  return length
}
