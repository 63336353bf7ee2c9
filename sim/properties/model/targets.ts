/**
 * What pull requests touch, as uploaded. In single mode any two share a target, so everybody
 * touches everything there.
 */

import type { PullRequestNumber } from '../../../engine/index.ts'
import type { Book } from './book.ts'
import type { QueueSettings } from './queue-settings.ts'

export type Touched = 'ALL' | ReadonlySet<string>

export type Targets = Book & {
  /** What a group of these touches, by what is uploaded now. */
  of(numbers: readonly PullRequestNumber[]): Touched
}

export function targets(settings: QueueSettings): Targets {
  const uploaded = new Map<PullRequestNumber, Touched>()
  return {
    of(numbers) {
      if (settings.configuration.mode === 'single') return 'ALL'
      const names = new Set<string>()
      for (const number of numbers) {
        const own = uploaded.get(number) ?? new Set()
        if (own === 'ALL') return 'ALL'
        for (const name of own) names.add(name)
      }
      return names
    },
    on: {
      impactedTargetsSet: ({ number, targets: now }) =>
        void uploaded.set(number, now === 'ALL' ? now : new Set(now)),
    },
  }
}

/** `ALL` shares with everything, an empty list with nothing but `ALL`. */
export function shareTarget(some: Touched, others: Touched): boolean {
  if (some === 'ALL' || others === 'ALL') return true
  const [few, many] = some.size < others.size ? [some, others] : [others, some]
  for (const name of few) if (many.has(name)) return true
  return false
}

/** What both touch. */
export function inCommon(some: Touched, others: Touched): Touched {
  if (some === 'ALL') return others
  if (others === 'ALL') return some
  return new Set([...some].filter((name) => others.has(name)))
}
