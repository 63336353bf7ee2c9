/**
 * Whether what is true of pull requests stays within what they declared: in parallel mode two that
 * break, mend or exclude each other are tested together only if they share a target. Where they
 * do not, whom it hits depends on who is faster, and the queue cannot know.
 */

import type { GroupId, PullRequestNumber } from '../../../engine/index.ts'
import type { Truth } from '../../world/truth.ts'
import type { Book } from './book.ts'
import type { Line } from './line.ts'
import type { QueueSettings } from './queue-settings.ts'
import { shareTarget, type Touched } from './targets.ts'

export type Crossings = Book & {
  /**
   * Two have started that matter to each other, and share no target; or a person has merged past
   * the tests what concerns other lanes, too, if it breaks.
   */
  readonly any: boolean
}

/** Reads the line as it is after an event. */
export function crossings(truth: Truth, line: Line, settings: QueueSettings): Crossings {
  /** What those touched at their last start who matter to somebody. */
  const declared = new Map<PullRequestNumber, Touched>()
  let any = false

  const declare = (id: GroupId): void => {
    const group = line.group(id)
    if (!group) return
    const { touched } = group
    if (touched === 'ALL') {
      // It shares a target with everybody, as do those of whom nothing is kept.
      for (const number of group.members) declared.delete(number)
      return
    }
    for (const number of group.members) {
      const relatives = truth.relativesOf(number)
      if (relatives.length === 0) continue
      declared.set(number, touched)
      any ||= relatives.some((other) => !shareTarget(touched, declared.get(other) ?? 'ALL'))
    }
  }

  return {
    get any() {
      return any
    },
    on: {
      pullRequestEnded({ reason }) {
        if (reason === 'MANUAL_MERGE') any ||= settings.configuration.mode === 'parallel'
      },
      groupPlaced: ({ group }) => declare(group),
      groupLinked: ({ group }) => declare(group),
      groupSplit({ group, into }) {
        declare(group)
        declare(into)
      },
    },
  }
}
