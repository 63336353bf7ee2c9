/** What a scrape shows of a queue at one instant, kept while commands go on. */

import type { Millis } from '../../engine/index.ts'
import { lastStepAt, stepsOf, type Timeline, type TimelineStep } from '../history/timeline.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { Counts } from '../history/counts.ts'
import type { QueueType } from '../history/samples.ts'

type Figures = { readonly depth: number; readonly awaiting: number; readonly slots: number }

export type Moment = {
  readonly queue: ManagedQueue
  readonly figures: Readonly<Record<QueueType, Figures>>
  readonly counts: Counts
  /** The timelines with a step since then, and the length of each at the instant. */
  readonly timelines: readonly Timeline[]
  readonly lengths: readonly number[]
}

export function momentOf(queue: ManagedQueue, since: Millis): Moment {
  const timelines: Timeline[] = []
  const lengths: number[] = []
  for (const { timeline } of queue.history.pullRequests.values()) {
    if (lastStepAt(timeline) <= since) continue
    timelines.push(timeline)
    lengths.push(timeline.length)
  }
  return {
    queue,
    figures: figuresOf(queue),
    counts: queue.history.counts.copy(),
    timelines,
    lengths,
  }
}

/** The steps of each timeline. A timeline only grows, so its first steps are those of the instant. */
export function* recentSteps({ timelines, lengths }: Moment): Generator<readonly TimelineStep[]> {
  for (const [index, timeline] of timelines.entries()) {
    yield stepsOf(timeline.slice(0, lengths[index]))
  }
}

function figuresOf({ engine }: ManagedQueue): Moment['figures'] {
  const { order, line, groups, bisections, slots } = engine.queue
  const inLine = line.reduce((sum, id) => sum + (groups[id]?.members.length ?? 0), 0)
  const apart = bisections.reduce((sum, { open, proven }) => sum + open.length + proven.length, 0)
  return {
    main: { depth: order.pending + inLine, awaiting: order.unready, slots: slots.main },
    bisection: { depth: apart, awaiting: 0, slots: slots.bisection },
  }
}
